"""Words: how texts, names, queries and goals are cut and read."""
