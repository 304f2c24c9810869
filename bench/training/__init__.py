"""Trains the static encoder, without labels, on catalogues that no benchmark has."""
