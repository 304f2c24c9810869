// Id and name of the given Tool nodes that are no generators, with the ids that they had before, in no order; unknown
// ids are left out.
//
// params: ids
// returns: id, name, declared, former_ids
UNWIND $ids AS id
MATCH (node:Tool {id: id})
WHERE NOT node:Generator
RETURN
  id,
  coalesce(node.name, '') AS name,
  coalesce(node.declared, false) AS declared,
  coalesce(node.former_ids, []) AS former_ids
