// The constraint of reviews and the index of their sources are made before, with all others: nothing is left to be done.
//
// params:
// returns:
MATCH (catalog:Catalog {id: 'catalog'})
RETURN count(catalog) AS seen;
