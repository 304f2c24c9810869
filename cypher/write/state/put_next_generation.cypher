// Raise the generation by one, clear the marks of being written and of being restored, note when, give the state a new
// name, and keep in one of `places` places what the generation touched: JSON text, empty for everything. `before` is the
// name of the state before.
//
// params: places, touched
// returns: generation
MATCH (catalog:Catalog {id: 'catalog'})
WITH catalog, catalog.generation + 1 AS generation, coalesce(catalog.stamp, '') AS before
SET
  catalog.generation = generation,
  catalog.generation_at = timestamp(),
  catalog.writing = false,
  catalog.restoring = null,
  catalog.stamp = randomUUID()
MERGE (record:Generation {id: toString(generation % $places)})
SET record.generation = generation, record.before = before, record.touched = $touched
RETURN generation
