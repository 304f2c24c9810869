"""Where things are opened and put together; nothing else."""
