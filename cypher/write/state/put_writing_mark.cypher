// Mark the graph as being written.
//
// params:
// returns: generation
MATCH (catalog:Catalog {id: 'catalog'})
SET catalog.writing = true
RETURN catalog.generation AS generation
