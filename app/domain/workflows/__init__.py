"""Plans as values and documents: edited, stored, drawn, written as Arazzo."""
