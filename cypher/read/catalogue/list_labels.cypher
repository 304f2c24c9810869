// What taxonomies say of the flows of tools, a row for each source and tool, in no order.
//
// params:
// returns: id, labels
MATCH (source:Source {kind: 'taxonomy'})<-[provision:PROVIDED_BY]-(tool:Tool)
WHERE size(coalesce(provision.labels, [])) > 0
RETURN tool.id AS id, provision.labels AS labels
