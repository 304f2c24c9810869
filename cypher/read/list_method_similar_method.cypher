// The stated, or the inferred, SIMILAR edges from Method to Method, collected per source, in no order.
//
// params: stated
// returns: source, targets, weights
MATCH (source:Method)-[edge:SIMILAR]->(target:Method)
WHERE
  $stated = (coalesce(edge.reason, '') <> 'structure' AND coalesce(edge.evidence, '') <> 'structure')
RETURN source.id AS source, collect(target.id) AS targets, collect(coalesce(edge.weight, 1.0)) AS weights
