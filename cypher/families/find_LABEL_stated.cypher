// The edges that leave the given {LABEL} nodes, but for those to sources and those that are inferred from the structure,
// collected per node, in no order. `texts` are those of examples; weight 1 and position 0 where an edge has none.
//
// params: ids
// returns: source, kinds, labels, targets, texts, weights, positions
UNWIND $ids AS id
MATCH (node:{LABEL} {id: id})-[edge]->(other)
WHERE
  NOT other:Source
  AND coalesce(edge.reason, '') <> 'structure'
  AND coalesce(edge.evidence, '') <> 'structure'
RETURN
  id AS source,
  collect(type(edge)) AS kinds,
  collect(CASE WHEN other:Tool THEN 'Tool' ELSE head(labels(other)) END) AS labels,
  collect(other.id) AS targets,
  collect(coalesce(other.text, '')) AS texts,
  collect(coalesce(edge.weight, 1.0)) AS weights,
  collect(coalesce(edge.position, 0)) AS positions
