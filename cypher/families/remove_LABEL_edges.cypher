// Remove the stated edges of one kind that leave these {LABEL} nodes for nodes of one label.
// With `stated_by`, only those that this source stated; null: whoever stated them.
// Gives where they led, as one row. What only inference writes stays: reason `structure`, or evidence that is in `inferred_evidence`.
//
// params: ids, kind, target, stated_by, inferred_evidence
// returns: targets
UNWIND $ids AS id
MATCH (node:{LABEL} {id: id})-[edge]->(other)
WHERE
  type(edge) = $kind
  AND $target IN labels(other)
  AND ($stated_by IS NULL OR edge.stated_by = $stated_by)
  AND coalesce(edge.reason, '') <> 'structure'
  AND NOT coalesce(edge.evidence, '') IN $inferred_evidence
WITH edge, other.id AS target
DELETE edge
RETURN collect(DISTINCT target) AS targets
