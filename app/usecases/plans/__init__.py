"""Plans that are changed by hand."""
