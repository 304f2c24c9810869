// Remove the inferred edges of one kind from these {LABEL} nodes to the given nodes of one label.
// Inferred is what only inference writes: reason `structure`, or evidence that is in `inferred_evidence`.
//
// params: rows, kind, target, inferred_evidence
// rows: source, targets
// returns:
UNWIND $rows AS row
MATCH (node:{LABEL} {id: row.source})-[edge]->(other)
WHERE
  type(edge) = $kind
  AND $target IN labels(other)
  AND other.id IN row.targets
  AND (coalesce(edge.reason, '') = 'structure' OR coalesce(edge.evidence, '') IN $inferred_evidence)
DELETE edge
