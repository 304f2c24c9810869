"""REQUIRES and PRECEDES between tools, inferred from schemas and paths."""
