"""One module per question that a caller may ask."""
