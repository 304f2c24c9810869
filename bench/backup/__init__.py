"""How long a backup of a large graph takes, and filling an empty one from it."""
