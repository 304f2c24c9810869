"""BM25 by two libraries behind one port."""
