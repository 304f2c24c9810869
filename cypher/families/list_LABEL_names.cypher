// Id and name of every {LABEL}, in no order.
//
// params:
// returns: id, name, declared
MATCH (node:{LABEL})
RETURN node.id AS id, coalesce(node.name, '') AS name, coalesce(node.declared, false) AS declared
