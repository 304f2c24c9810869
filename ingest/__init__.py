"""From sources to the graph: read, diff, enrich, write, finish."""
