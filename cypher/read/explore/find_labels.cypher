// What taxonomies say of the flows of the given tools, a row for each source that says something, in no order.
//
// params: ids
// returns: id, labels
UNWIND $ids AS id
MATCH (tool:Tool {id: id})-[provision:PROVIDED_BY]->(:Source {kind: 'taxonomy'})
WHERE size(coalesce(provision.labels, [])) > 0
RETURN id, provision.labels AS labels
