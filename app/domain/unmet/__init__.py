"""Requests that nothing met: what is kept of them, and which belong together."""
