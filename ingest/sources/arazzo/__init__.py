"""Arazzo documents: workflows."""
