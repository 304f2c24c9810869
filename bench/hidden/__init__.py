"""Does any answer show what its caller may not see? Random catalogues and policies against graphs without what is hidden."""
