"""A backup of the graph taken, and an empty graph filled from one."""
