// Id and text of the given Example nodes, in no order; unknown ids are left out.
//
// params: ids
// returns: id, name, declared
UNWIND $ids AS id
MATCH (node:Example {id: id})
RETURN id, coalesce(node.text, '') AS name, coalesce(node.declared, false) AS declared
