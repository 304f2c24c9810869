// Note that the graph has been brought to a schema version.
//
// params: schema_version
// returns: schema_version
MATCH (catalog:Catalog {id: 'catalog'})
SET catalog.schema_version = $schema_version
RETURN catalog.schema_version AS schema_version
