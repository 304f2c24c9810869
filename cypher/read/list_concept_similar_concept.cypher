// The stated, or the inferred, SIMILAR edges from Concept to Concept, collected per source, in no order.
//
// params: stated
// returns: source, targets, weights
MATCH (source:Concept)-[edge:SIMILAR]->(target:Concept)
WHERE
  $stated = (coalesce(edge.reason, '') <> 'structure' AND coalesce(edge.evidence, '') <> 'structure')
RETURN source.id AS source, collect(target.id) AS targets, collect(coalesce(edge.weight, 1.0)) AS weights
