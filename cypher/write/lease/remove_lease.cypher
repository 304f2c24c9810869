// Give the writer's lease back; nothing happens when somebody else has it.
//
// params: owner
// returns:
MATCH (catalog:Catalog {id: 'catalog'})
WHERE catalog.lease_owner = $owner
REMOVE catalog.lease_owner, catalog.lease_until, catalog.lease_write
