"""The public sets as values."""
