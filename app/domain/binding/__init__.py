"""Where each input of a step takes its value from."""
