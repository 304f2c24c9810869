"""Is anything told of what a caller may not see? Random catalogues and policies against graphs without what is hidden."""
