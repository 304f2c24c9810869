"""What restricts the tasks of a goal: on which conditions they are done, and what is not done."""
