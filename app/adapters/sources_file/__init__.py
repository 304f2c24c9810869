"""`sources.yaml`: which sources there are, and how they may be called."""
