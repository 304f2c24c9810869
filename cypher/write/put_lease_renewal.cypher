// Renew the writer's lease; every write transaction starts with it. `held` is false when somebody else has it.
// It writes in any case, so that a transaction and a takeover cannot both commit unseen.
//
// params: owner, ttl_ms
// returns: held, holder
MATCH (catalog:Catalog {id: 'catalog'})
SET catalog.lease_asked = timestamp()
WITH catalog, coalesce(catalog.lease_owner = $owner, false) AS held
SET catalog.lease_until = CASE WHEN held THEN timestamp() + $ttl_ms ELSE catalog.lease_until END
RETURN held, coalesce(catalog.lease_owner, '') AS holder
