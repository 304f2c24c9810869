"""What a goal forbids, and the conditions under which it wants something done."""
