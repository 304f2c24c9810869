"""The graph kept at what the sources say."""
