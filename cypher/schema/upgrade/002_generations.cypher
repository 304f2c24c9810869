// Give the state of the graph a name of its own, so that what was read of it is not taken for a part of another graph.
// The constraint of the records of generations is made before, with all others.
//
// params:
// returns:
MATCH (catalog:Catalog {id: 'catalog'})
SET catalog.stamp = randomUUID();
