// Remove records of syncs; unknown ids are left out.
//
// params: ids
// returns:
UNWIND $ids AS id
MATCH (sync:Sync {id: id})
DETACH DELETE sync
