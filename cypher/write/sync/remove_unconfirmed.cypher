// Trust the definitions of the given tools as they are now; unknown ids are left out.
//
// params: ids
// returns:
UNWIND $ids AS id
MATCH (tool:Tool {id: id})
REMOVE tool.confirmed, tool.unconfirmed
