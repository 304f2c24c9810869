"""Inputs that show what Outfitter reads: a taxonomy, tool manifests, questions."""
