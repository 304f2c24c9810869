"""What the planner's index keeps of tools: terms by field, counted, and numbers by position."""
