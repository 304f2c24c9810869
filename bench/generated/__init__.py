"""Sets that are made by rule from a seed: the same bytes for the same seed, on every machine."""
