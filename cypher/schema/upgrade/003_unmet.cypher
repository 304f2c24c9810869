// The constraint of unmet requests and the indexes of times are made before, with all others: nothing is left to be done.
//
// params:
// returns:
MATCH (catalog:Catalog {id: 'catalog'})
RETURN count(catalog) AS seen;
