"""Where spans go, and what of them."""
