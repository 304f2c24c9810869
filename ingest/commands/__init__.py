"""The commands that fill the graph and show it."""
