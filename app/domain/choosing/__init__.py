"""Which call does what a task asks for."""
