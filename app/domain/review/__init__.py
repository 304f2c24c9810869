"""Definitions of tools that somebody has to agree to before they are served."""
