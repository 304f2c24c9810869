// The records of syncs with the given ids, in no order; unknown ids are left out.
//
// params: ids
// returns: document
UNWIND $ids AS id
MATCH (sync:Sync {id: id})
RETURN sync.document AS document
