"""`outfitter bench` on the command line: options in, tables or JSON out."""
