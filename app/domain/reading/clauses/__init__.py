"""The clauses of a goal: where it is cut, and what each of them orders or asks."""
