"""Plans judged by labels: goals as people type them, and the bindings of labelled workflows."""
