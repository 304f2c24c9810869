"""Documents that anybody may have written, read within bounds."""
