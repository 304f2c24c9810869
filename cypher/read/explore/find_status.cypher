// Where the graph stands and who writes it, always one row: generation 0 when the graph has no catalogue yet.
// `generation_at` is in milliseconds since 1970, null of a graph that an older Outfitter wrote last.
// `lease_owner` is null when nobody holds the writer's lease, or its time is over by the database's clock.
//
// params:
// returns: generation, writing, generation_at, lease_owner, lease_left
OPTIONAL MATCH (catalog:Catalog {id: 'catalog'})
WITH catalog, coalesce(catalog.lease_until, 0) - timestamp() AS left
RETURN
  coalesce(catalog.generation, 0) AS generation,
  coalesce(catalog.writing, false) AS writing,
  catalog.generation_at AS generation_at,
  CASE WHEN left > 0 THEN catalog.lease_owner ELSE null END AS lease_owner,
  left AS lease_left
