"""The command `outfitter`."""
