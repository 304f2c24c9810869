// Renew the writer's lease; every write transaction starts with it. `held` is false when somebody else has it.
// `done` is true when the transaction that named the same `write` was kept, so that a repetition does nothing twice.
// It writes in any case, so that a transaction and a takeover cannot both commit unseen.
//
// params: owner, write, ttl_ms
// returns: held, done, holder
MATCH (catalog:Catalog {id: 'catalog'})
SET catalog.lease_asked = timestamp()
WITH
  catalog,
  coalesce(catalog.lease_owner = $owner, false) AS held,
  coalesce(catalog.lease_write = $write, false) AS done
SET
  catalog.lease_until = CASE WHEN held THEN timestamp() + $ttl_ms ELSE catalog.lease_until END,
  catalog.lease_write = CASE WHEN held THEN $write ELSE catalog.lease_write END
RETURN held, done, coalesce(catalog.lease_owner, '') AS holder
