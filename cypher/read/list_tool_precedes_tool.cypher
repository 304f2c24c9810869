// The stated, or the inferred, PRECEDES edges from Tool to Tool, collected per source, in no order.
//
// params: stated
// returns: source, targets
MATCH (source:Tool)-[edge:PRECEDES]->(target:Tool)
WHERE
  $stated = (coalesce(edge.reason, '') <> 'structure' AND NOT coalesce(edge.evidence, '') IN ['structure', 'schema', 'path', 'name'])
RETURN source.id AS source, collect(target.id) AS targets
