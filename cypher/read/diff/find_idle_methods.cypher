// The methods of the common taxonomy that suggest no tool, in no order.
//
// params:
// returns: id
MATCH (method:Method {common: true})
WHERE NOT (method)-[:SUGGESTS]->(:Tool)
RETURN method.id AS id
