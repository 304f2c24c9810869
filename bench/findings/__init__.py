"""How well signs in descriptions tell poisoned tools from real ones."""
