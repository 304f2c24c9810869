"""What the graph holds, as values: nodes, edges, and the records of syncs."""
