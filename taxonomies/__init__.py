"""Taxonomies that come with Outfitter, as package data."""
