"""Outages as data, and what becomes of plans then."""
