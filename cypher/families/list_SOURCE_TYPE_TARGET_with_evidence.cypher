// The stated, or the inferred, {TYPE} edges from {SOURCE} to {TARGET}, collected per source, in no order.
// Inferred is what only inference writes: reason `structure`, or evidence that is in `inferred_evidence`.
//
// params: stated, inferred_evidence
// returns: source, targets
MATCH (source:{SOURCE})-[edge:{TYPE}]->(target:{TARGET})
WHERE
  $stated = (coalesce(edge.reason, '') <> 'structure' AND NOT coalesce(edge.evidence, '') IN $inferred_evidence)
RETURN source.id AS source, collect(target.id) AS targets
