"""What pages are made of, as pure functions: from documents to what templates draw."""
