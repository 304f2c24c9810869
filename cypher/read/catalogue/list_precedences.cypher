// All PRECEDES edges between tools, stated and inferred, collected per tool that comes first, in no order.
//
// params:
// returns: first, thens, confidences, evidences
MATCH (first:Tool)-[edge:PRECEDES]->(later:Tool)
RETURN
  first.id AS first,
  collect(later.id) AS thens,
  collect(coalesce(edge.confidence, 1.0)) AS confidences,
  collect(coalesce(edge.evidence, '')) AS evidences
