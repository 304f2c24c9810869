"""What may take the place of a call that cannot be made: equivalents, and what of theirs is what of it."""
