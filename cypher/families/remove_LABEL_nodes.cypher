// Remove {LABEL} nodes with all their edges; unknown ids are left out.
//
// params: ids
// returns:
UNWIND $ids AS id
MATCH (node:{LABEL} {id: id})
DETACH DELETE node
