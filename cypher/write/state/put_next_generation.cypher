// Raise the generation by one and clear the mark of being written.
//
// params:
// returns: generation
MATCH (catalog:Catalog {id: 'catalog'})
SET catalog.generation = catalog.generation + 1, catalog.writing = false
RETURN catalog.generation AS generation
