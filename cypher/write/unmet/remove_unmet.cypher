// Remove entries of requests that nothing met; unknown ids are left out.
//
// params: ids
// returns:
UNWIND $ids AS id
MATCH (unmet:Unmet {id: id})
DETACH DELETE unmet
