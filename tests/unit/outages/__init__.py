"""Thirty outages as data, and what becomes of plans then."""
