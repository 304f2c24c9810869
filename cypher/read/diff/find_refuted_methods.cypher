// The methods that sources say the given tools do not carry out, a row for each source that says so, in no order.
//
// params: ids
// returns: tool, methods
UNWIND $ids AS id
MATCH (tool:Tool {id: id})-[provision:PROVIDED_BY]->(:Source)
WHERE size(coalesce(provision.not_implements, [])) > 0
RETURN id AS tool, provision.not_implements AS methods
