"""`outfitter enrich requests`: which tools lack requests, who writes them, and what comes of it."""
