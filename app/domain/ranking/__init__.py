"""Scores as arithmetic: texts to fields, BM25F, intent, graph scores, and how they are put together."""
