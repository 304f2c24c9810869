"""A run from its request to its report: read, diff, enrich, write, finish."""
