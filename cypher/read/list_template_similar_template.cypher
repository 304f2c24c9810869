// The stated, or the inferred, SIMILAR edges from Template to Template, collected per source, in no order.
//
// params: stated
// returns: source, targets, weights
MATCH (source:Template)-[edge:SIMILAR]->(target:Template)
WHERE
  $stated = (coalesce(edge.reason, '') <> 'structure' AND coalesce(edge.evidence, '') <> 'structure')
RETURN source.id AS source, collect(target.id) AS targets, collect(coalesce(edge.weight, 1.0)) AS weights
