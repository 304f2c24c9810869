// Where the graph stands, always one row: generation 0, schema version 0 when the graph has no catalogue yet.
// `stamp` names this very state; empty before the first generation.
// `lease_expired` is true when nobody holds the writer's lease, or its time is over by the database's clock.
//
// params:
// returns: generation, writing, schema_version, stamp, lease_expired
OPTIONAL MATCH (catalog:Catalog {id: 'catalog'})
RETURN
  coalesce(catalog.generation, 0) AS generation,
  coalesce(catalog.writing, false) AS writing,
  coalesce(catalog.schema_version, 0) AS schema_version,
  coalesce(catalog.stamp, '') AS stamp,
  coalesce(catalog.lease_until, 0) < timestamp() AS lease_expired
