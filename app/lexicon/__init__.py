"""Words that the service knows, as data: each file names what its lists are for and where they come from."""
