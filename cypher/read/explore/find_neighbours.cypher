// The edges of the given kinds that leave or enter the given nodes, with both ends; at most `limit`, in a total order.
// Ids are given by label, because nodes of different labels may have one id; a generator is given as a tool.
//
// params: tools, methods, categories, concepts, templates, examples, workflows, kinds, limit
// returns: source_label, source, source_name, kind, target_label, target, target_name, weight, confidence, evidence, reason
CALL () {
  UNWIND $tools AS given_id
  MATCH (given:Tool {id: given_id})-[edge]-(other)
  WHERE type(edge) IN $kinds
  RETURN edge, other
  UNION ALL
  UNWIND $methods AS given_id
  MATCH (given:Method {id: given_id})-[edge]-(other)
  WHERE type(edge) IN $kinds
  RETURN edge, other
  UNION ALL
  UNWIND $categories AS given_id
  MATCH (given:Category {id: given_id})-[edge]-(other)
  WHERE type(edge) IN $kinds
  RETURN edge, other
  UNION ALL
  UNWIND $concepts AS given_id
  MATCH (given:Concept {id: given_id})-[edge]-(other)
  WHERE type(edge) IN $kinds
  RETURN edge, other
  UNION ALL
  UNWIND $templates AS given_id
  MATCH (given:Template {id: given_id})-[edge]-(other)
  WHERE type(edge) IN $kinds
  RETURN edge, other
  UNION ALL
  UNWIND $examples AS given_id
  MATCH (given:Example {id: given_id})-[edge]-(other)
  WHERE type(edge) IN $kinds
  RETURN edge, other
  UNION ALL
  UNWIND $workflows AS given_id
  MATCH (given:Workflow {id: given_id})-[edge]-(other)
  WHERE type(edge) IN $kinds
  RETURN edge, other
}
WITH DISTINCT edge
WITH edge, startNode(edge) AS source, endNode(edge) AS target
RETURN
  coalesce(head([label IN labels(source) WHERE label <> 'Tool']), 'Tool') AS source_label,
  source.id AS source,
  coalesce(source.name, source.text, '') AS source_name,
  type(edge) AS kind,
  coalesce(head([label IN labels(target) WHERE label <> 'Tool']), 'Tool') AS target_label,
  target.id AS target,
  coalesce(target.name, target.text, '') AS target_name,
  coalesce(edge.weight, 1.0) AS weight,
  coalesce(edge.confidence, 1.0) AS confidence,
  coalesce(edge.evidence, '') AS evidence,
  coalesce(edge.reason, '') AS reason
ORDER BY kind, source_label, source, target_label, target, evidence
LIMIT $limit
