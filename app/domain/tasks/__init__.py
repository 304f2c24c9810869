"""The tasks of a goal: their words and values, and what callers say who cut it themselves."""
