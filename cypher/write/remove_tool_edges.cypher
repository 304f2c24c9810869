// Remove the stated edges of one kind that leave these Tool nodes for nodes of one label.
// With `stated_by`, only those that this source stated; null: whoever stated them.
// What only inference writes (reason `structure`, or evidence `structure`, `schema`, `path` or `name`) stays.
//
// params: ids, kind, target, stated_by
// returns:
UNWIND $ids AS id
MATCH (node:Tool {id: id})-[edge]->(other)
WHERE
  type(edge) = $kind
  AND $target IN labels(other)
  AND ($stated_by IS NULL OR edge.stated_by = $stated_by)
  AND coalesce(edge.reason, '') <> 'structure'
  AND NOT coalesce(edge.evidence, '') IN ['structure', 'schema', 'path', 'name']
DELETE edge
