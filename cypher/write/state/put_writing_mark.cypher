// Mark the graph as being written. `unfinished` is true when it was marked already.
//
// params:
// returns: generation, unfinished
MATCH (catalog:Catalog {id: 'catalog'})
WITH catalog, coalesce(catalog.writing, false) AS unfinished
SET catalog.writing = true
RETURN catalog.generation AS generation, unfinished
