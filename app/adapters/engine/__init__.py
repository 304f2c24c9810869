"""The embedded engine: a database process of our own on loopback, its folder and its locks."""
