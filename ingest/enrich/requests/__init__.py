"""Requests written down per tool: from a model or a file into the graph, and out of it when they are of the past."""
