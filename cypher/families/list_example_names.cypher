// Id and name of every Example, in no order.
//
// params:
// returns: id, name, declared
MATCH (node:Example)
RETURN node.id AS id, coalesce(node.text, '') AS name, coalesce(node.declared, false) AS declared
