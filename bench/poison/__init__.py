"""How far tools get whose texts were written to be found."""
