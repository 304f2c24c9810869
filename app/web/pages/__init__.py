"""One module for each page; each names the REST calls that give the same."""
