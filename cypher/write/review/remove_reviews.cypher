// Remove what is kept of definitions; unknown ids are left out.
//
// params: ids
// returns:
UNWIND $ids AS id
MATCH (review:Review {id: id})
DETACH DELETE review
