// Remove Method nodes with all their edges; unknown ids are left out.
//
// params: ids
// returns:
UNWIND $ids AS id
MATCH (node:Method {id: id})
DETACH DELETE node
