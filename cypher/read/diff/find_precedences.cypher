// The PRECEDES edges that leave the given tools, stated and inferred, collected per tool, in no order.
//
// params: ids
// returns: first, thens, confidences, evidences
UNWIND $ids AS id
MATCH (first:Tool {id: id})-[edge:PRECEDES]->(later:Tool)
RETURN
  id AS first,
  collect(later.id) AS thens,
  collect(coalesce(edge.confidence, 1.0)) AS confidences,
  collect(coalesce(edge.evidence, '')) AS evidences
