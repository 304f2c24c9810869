"""JSON schemas of tools: what they say, what a change of them breaks, and the forms that providers take."""
