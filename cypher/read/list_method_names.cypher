// Id and name of every Method, in no order.
//
// params:
// returns: id, name, declared
MATCH (node:Method)
RETURN node.id AS id, coalesce(node.name, '') AS name, coalesce(node.declared, false) AS declared
