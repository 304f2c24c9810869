// Remove the inferred edges of one kind from these Workflow nodes to the given nodes of one label.
// Inferred is what only inference writes: reason or evidence `structure`.
//
// params: rows, kind, target
// rows: source, targets
// returns:
UNWIND $rows AS row
MATCH (node:Workflow {id: row.source})-[edge]->(other)
WHERE
  type(edge) = $kind
  AND $target IN labels(other)
  AND other.id IN row.targets
  AND (coalesce(edge.reason, '') = 'structure' OR coalesce(edge.evidence, '') = 'structure')
DELETE edge
