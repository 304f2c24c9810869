"""Requests written for tools, in the graph: put there, and taken out when they are of the past."""
