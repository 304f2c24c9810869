"""What answering needs in memory: built once per generation, swapped whole."""
