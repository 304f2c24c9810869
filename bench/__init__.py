"""Measurements that anyone can repeat: `outfitter bench`."""
