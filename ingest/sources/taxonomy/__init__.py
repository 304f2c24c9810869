"""Taxonomies: what people want done."""
