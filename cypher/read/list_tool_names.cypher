// Id and name of every Tool that is not a generator, in no order.
//
// params:
// returns: id, name, declared
MATCH (node:Tool)
WHERE NOT node:Generator
RETURN node.id AS id, coalesce(node.name, '') AS name, coalesce(node.declared, false) AS declared
