// Remove Category nodes with all their edges; unknown ids are left out.
//
// params: ids
// returns:
UNWIND $ids AS id
MATCH (node:Category {id: id})
DETACH DELETE node
