// Id and name of every Template, in no order.
//
// params:
// returns: id, name, declared
MATCH (node:Template)
RETURN node.id AS id, coalesce(node.name, '') AS name, coalesce(node.declared, false) AS declared
