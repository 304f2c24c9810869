"""What makes and checks a release; none of it is in the wheel."""
