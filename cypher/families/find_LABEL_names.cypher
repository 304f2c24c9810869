// Id and name of the given {LABEL} nodes, in no order; unknown ids are left out.
//
// params: ids
// returns: id, name, declared
UNWIND $ids AS id
MATCH (node:{LABEL} {id: id})
RETURN id, coalesce(node.name, '') AS name, coalesce(node.declared, false) AS declared
