"""Which values of a goal fill which inputs of a call."""
