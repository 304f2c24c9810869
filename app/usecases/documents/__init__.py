"""Answers as JSON, the same over every interface."""
