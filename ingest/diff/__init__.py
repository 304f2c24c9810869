"""What documents say against what the graph holds."""
