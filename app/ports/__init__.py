"""What the use cases need from outside, in domain words."""
