// Remove Template nodes with all their edges; unknown ids are left out.
//
// params: ids
// returns:
UNWIND $ids AS id
MATCH (node:Template {id: id})
DETACH DELETE node
