// Remove the inferred edges of one kind from these Tool nodes to the given nodes of one label.
// Inferred is what only inference writes: reason `structure`, or evidence `structure`, `schema`, `path` or `name`.
//
// params: rows, kind, target
// rows: source, targets
// returns:
UNWIND $rows AS row
MATCH (node:Tool {id: row.source})-[edge]->(other)
WHERE
  type(edge) = $kind
  AND $target IN labels(other)
  AND other.id IN row.targets
  AND (coalesce(edge.reason, '') = 'structure' OR coalesce(edge.evidence, '') IN ['structure', 'schema', 'path', 'name'])
DELETE edge
