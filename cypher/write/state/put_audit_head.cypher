// Keep where a chain of the audit stands, in place of where it stood; of other chains the 99 that were kept last.
// `entry` is the name of the chain, the SHA-256 of its last line and the time, with spaces between.
//
// params: chain, entry
// returns:
MATCH (catalog:Catalog {id: 'catalog'})
SET catalog.audit_heads =
  [$entry] + [one IN coalesce(catalog.audit_heads, []) WHERE NOT one STARTS WITH $chain][0..99]
