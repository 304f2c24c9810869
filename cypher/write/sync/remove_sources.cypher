// Remove source nodes.
//
// params: ids
// returns:
UNWIND $ids AS id
MATCH (source:Source {id: id})
DETACH DELETE source
