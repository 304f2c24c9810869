// Id and name of every Tool that is not a generator, with the ids that it had before, in no order.
//
// params:
// returns: id, name, declared, former_ids
MATCH (node:Tool)
WHERE NOT node:Generator
RETURN
  node.id AS id,
  coalesce(node.name, '') AS name,
  coalesce(node.declared, false) AS declared,
  coalesce(node.former_ids, []) AS former_ids
