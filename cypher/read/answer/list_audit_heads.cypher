// Where each chain of the audit stood when it was kept last, always one row, the last one first: the name of the chain,
// the SHA-256 of its last line and the time, with spaces between.
//
// params:
// returns: entries
OPTIONAL MATCH (catalog:Catalog {id: 'catalog'})
RETURN coalesce(catalog.audit_heads, []) AS entries
