// What the given tools need, what that needs, and so on, four REQUIRES edges deep, always one row; each edge once.
// Edges below `confidence` are not followed; those of optional inputs only with `optional`. An edge is a list: consumer,
// producer, parameter, optional, field, confidence, evidence, rank; in no order. The row mixes two generations when
// the generation changed meanwhile or the graph was being written at either end.
//
// params: tools, confidence, optional
// returns: generation, writing, generation_after, writing_after, edges
OPTIONAL MATCH (before:Catalog {id: 'catalog'})
WITH coalesce(before.generation, 0) AS generation, coalesce(before.writing, false) AS writing
CALL () {
  UNWIND $tools AS id
  MATCH (consumer:Tool {id: id})-[edge:REQUIRES]->(producer:Tool)
  WHERE coalesce(edge.confidence, 1.0) >= $confidence AND ($optional OR NOT coalesce(edge.optional, false))
  RETURN
    collect([
      id,
      producer.id,
      coalesce(edge.parameter, ''),
      coalesce(edge.optional, false),
      coalesce(edge.field, ''),
      coalesce(edge.confidence, 1.0),
      coalesce(edge.evidence, ''),
      coalesce(edge.rank, 1)
    ]) AS edges1,
    collect(DISTINCT producer.id) AS found1
}
WITH
  generation,
  writing,
  edges1 AS edges,
  [id IN found1 WHERE NOT id IN $tools] AS level1,
  $tools + found1 AS seen1
CALL (level1) {
  UNWIND level1 AS id
  MATCH (consumer:Tool {id: id})-[edge:REQUIRES]->(producer:Tool)
  WHERE coalesce(edge.confidence, 1.0) >= $confidence AND ($optional OR NOT coalesce(edge.optional, false))
  RETURN
    collect([
      id,
      producer.id,
      coalesce(edge.parameter, ''),
      coalesce(edge.optional, false),
      coalesce(edge.field, ''),
      coalesce(edge.confidence, 1.0),
      coalesce(edge.evidence, ''),
      coalesce(edge.rank, 1)
    ]) AS edges2,
    collect(DISTINCT producer.id) AS found2
}
WITH
  generation,
  writing,
  edges + edges2 AS edges,
  [id IN found2 WHERE NOT id IN seen1] AS level2,
  seen1 + found2 AS seen2
CALL (level2) {
  UNWIND level2 AS id
  MATCH (consumer:Tool {id: id})-[edge:REQUIRES]->(producer:Tool)
  WHERE coalesce(edge.confidence, 1.0) >= $confidence AND ($optional OR NOT coalesce(edge.optional, false))
  RETURN
    collect([
      id,
      producer.id,
      coalesce(edge.parameter, ''),
      coalesce(edge.optional, false),
      coalesce(edge.field, ''),
      coalesce(edge.confidence, 1.0),
      coalesce(edge.evidence, ''),
      coalesce(edge.rank, 1)
    ]) AS edges3,
    collect(DISTINCT producer.id) AS found3
}
WITH
  generation,
  writing,
  edges + edges3 AS edges,
  [id IN found3 WHERE NOT id IN seen2] AS level3,
  seen2 + found3 AS seen3
CALL (level3) {
  UNWIND level3 AS id
  MATCH (consumer:Tool {id: id})-[edge:REQUIRES]->(producer:Tool)
  WHERE coalesce(edge.confidence, 1.0) >= $confidence AND ($optional OR NOT coalesce(edge.optional, false))
  RETURN
    collect([
      id,
      producer.id,
      coalesce(edge.parameter, ''),
      coalesce(edge.optional, false),
      coalesce(edge.field, ''),
      coalesce(edge.confidence, 1.0),
      coalesce(edge.evidence, ''),
      coalesce(edge.rank, 1)
    ]) AS edges4
}
OPTIONAL MATCH (after:Catalog {id: 'catalog'})
RETURN
  generation,
  writing,
  coalesce(after.generation, 0) AS generation_after,
  coalesce(after.writing, false) AS writing_after,
  edges + edges4 AS edges
