"""Requests that people would type who need a tool: what a model is asked for, and what is accepted of its answer."""
