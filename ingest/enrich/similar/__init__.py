"""SIMILAR between nodes that play the same role."""
