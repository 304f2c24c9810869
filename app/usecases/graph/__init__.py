"""The graph as people walk it."""
