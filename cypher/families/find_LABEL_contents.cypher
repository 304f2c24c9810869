// The given {LABEL} nodes with all their properties, in no order; unknown ids are left out.
//
// params: ids
// returns: id, properties
UNWIND $ids AS id
MATCH (node:{LABEL} {id: id})
RETURN id, properties(node) AS properties
