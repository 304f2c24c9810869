// Remove the stated edges of one kind that leave these Workflow nodes for nodes of one label.
// With `stated_by`, only those that this source stated; null: whoever stated them.
// What only inference writes (reason or evidence `structure`) stays.
//
// params: ids, kind, target, stated_by
// returns:
UNWIND $ids AS id
MATCH (node:Workflow {id: id})-[edge]->(other)
WHERE
  type(edge) = $kind
  AND $target IN labels(other)
  AND ($stated_by IS NULL OR edge.stated_by = $stated_by)
  AND coalesce(edge.reason, '') <> 'structure'
  AND coalesce(edge.evidence, '') <> 'structure'
DELETE edge
