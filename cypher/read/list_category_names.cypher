// Id and name of every Category, in no order.
//
// params:
// returns: id, name, declared
MATCH (node:Category)
RETURN node.id AS id, coalesce(node.name, '') AS name, coalesce(node.declared, false) AS declared
