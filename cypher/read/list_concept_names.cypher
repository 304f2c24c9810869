// Id and name of every Concept, in no order.
//
// params:
// returns: id, name, declared
MATCH (node:Concept)
RETURN node.id AS id, coalesce(node.name, '') AS name, coalesce(node.declared, false) AS declared
