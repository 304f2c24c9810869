"""The files that say who may ask, and what they may see."""
