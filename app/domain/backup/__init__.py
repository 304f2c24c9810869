"""A backup of the graph: its lines, and what is accepted of them."""
