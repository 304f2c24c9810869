"""Published sets and tables, beside which ours are put."""
