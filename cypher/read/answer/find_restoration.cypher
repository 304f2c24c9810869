// The SHA-256 of the backup that the graph is filled from, or was when that was killed, always one row: empty otherwise.
//
// params:
// returns: backup
OPTIONAL MATCH (catalog:Catalog {id: 'catalog'})
RETURN coalesce(catalog.restoring, '') AS backup
