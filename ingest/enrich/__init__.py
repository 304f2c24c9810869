"""One module per inferred relation: cards in, edges out."""
