// What sources say that the given tools do not need, a row for each source that says so, in no order.
//
// params: ids
// returns: id, not_requires
UNWIND $ids AS id
MATCH (tool:Tool {id: id})-[provision:PROVIDED_BY]->(:Source)
WHERE size(coalesce(provision.not_requires, [])) > 0
RETURN id, provision.not_requires AS not_requires
