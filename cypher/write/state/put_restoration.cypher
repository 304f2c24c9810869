// Mark the graph as being written, and as filled from the backup with this SHA-256, from the generation before the backup's.
//
// params: backup, generation
// returns: generation
MATCH (catalog:Catalog {id: 'catalog'})
SET
  catalog.restoring = $backup,
  catalog.generation = $generation,
  catalog.writing = true
RETURN catalog.generation AS generation
