"""The word lists, for what reads requests and names."""

from app.lexicon.lists import table

__all__ = ["table"]
