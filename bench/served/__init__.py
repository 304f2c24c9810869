"""Measurements over HTTP, beside writers, and as catalogues grow."""
