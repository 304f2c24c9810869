// The one catalogue node, made when it does not exist.
//
// params: schema_version
// returns: schema_version
MERGE (catalog:Catalog {id: 'catalog'})
  ON CREATE SET catalog.generation = 0, catalog.writing = false, catalog.schema_version = $schema_version
RETURN catalog.schema_version AS schema_version
