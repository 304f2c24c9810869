"""Requests that nothing met: noted off the path of requests, read in groups."""
