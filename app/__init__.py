"""Outfitter: which tools fit a request, in which order, with which inputs."""
