"""The command `outfitter` and what it prints."""
