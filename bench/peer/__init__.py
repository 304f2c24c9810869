"""The rival, in an interpreter of its own."""
