"""Models that turn texts into vectors, and where these are kept."""
