"""What there is, for people who look around: numbers, and nodes by the beginning of their names."""
