// Take the writer's lease if nobody has it, its time is over, or `dead` holds it; times by the database's clock.
// The first SET locks the node, so that of two writers one sees what the other wrote. `dead` may be null.
//
// params: owner, dead, ttl_ms
// returns: holder, until_ms, now_ms
MATCH (catalog:Catalog {id: 'catalog'})
SET catalog.lease_asked = timestamp()
WITH
  catalog,
  catalog.lease_owner IS NULL
    OR catalog.lease_owner = $owner
    OR coalesce(catalog.lease_owner = $dead, false)
    OR coalesce(catalog.lease_until, 0) < timestamp() AS free
SET
  catalog.lease_owner = CASE WHEN free THEN $owner ELSE catalog.lease_owner END,
  catalog.lease_until = CASE WHEN free THEN timestamp() + $ttl_ms ELSE catalog.lease_until END
RETURN
  catalog.lease_owner AS holder,
  catalog.lease_until AS until_ms,
  timestamp() AS now_ms
