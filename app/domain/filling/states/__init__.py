"""What words of a task set: switches, and members of enums."""
