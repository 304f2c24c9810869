// The stated, or the inferred, SIMILAR edges from Generator to Generator, collected per source, in no order.
//
// params: stated
// returns: source, targets, weights
MATCH (source:Generator)-[edge:SIMILAR]->(target:Generator)
WHERE
  $stated = (coalesce(edge.reason, '') <> 'structure' AND coalesce(edge.evidence, '') <> 'structure')
RETURN source.id AS source, collect(target.id) AS targets, collect(coalesce(edge.weight, 1.0)) AS weights
