"""Texts and values in a few large arrays, read one by one: what is mapped from a file costs no memory of its own."""
