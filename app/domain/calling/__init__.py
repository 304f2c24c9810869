"""Calls of tools: who may be called, which request that makes, what its arguments must be."""
