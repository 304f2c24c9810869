"""One module per kind of source: bytes in, cards out."""
