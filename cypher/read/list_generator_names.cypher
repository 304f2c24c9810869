// Id and name of every Generator, in no order.
//
// params:
// returns: id, name, declared
MATCH (node:Generator)
RETURN node.id AS id, coalesce(node.name, '') AS name, coalesce(node.declared, false) AS declared
