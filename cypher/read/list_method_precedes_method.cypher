// The stated, or the inferred, PRECEDES edges from Method to Method, collected per source, in no order.
//
// params: stated
// returns: source, targets
MATCH (source:Method)-[edge:PRECEDES]->(target:Method)
WHERE
  $stated = (coalesce(edge.reason, '') <> 'structure' AND coalesce(edge.evidence, '') <> 'structure')
RETURN source.id AS source, collect(target.id) AS targets
