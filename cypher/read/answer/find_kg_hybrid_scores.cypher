// KG-Hybrid's graph score of every tool that the seeds reach, always one row.
// A method gives 0.6 of its score to its tools, and score x weight x 0.3 x 0.4 to the tools of each stated
// SIMILAR or ENHANCES neighbour (reason or evidence `structure` is not stated); a template 0.6 to what it uses.
// The row mixes two generations when the generation changed meanwhile or the graph was being written at either end.
//
// params: methods, templates
// returns: generation, writing, generation_after, writing_after, tools, scores
OPTIONAL MATCH (before:Catalog {id: 'catalog'})
WITH coalesce(before.generation, 0) AS generation, coalesce(before.writing, false) AS writing
CALL () {
  CALL () {
    UNWIND $methods AS seed
    MATCH (method:Method {id: seed.id})-[:IMPLEMENTS]->(tool:Tool)
    RETURN tool.id AS tool, 0.6 * seed.score AS part
    UNION ALL
    UNWIND $methods AS seed
    MATCH (method:Method {id: seed.id})-[edge:SIMILAR|ENHANCES]->(near:Method)-[:IMPLEMENTS]->(tool:Tool)
    WHERE coalesce(edge.reason, '') <> 'structure' AND coalesce(edge.evidence, '') <> 'structure'
    RETURN tool.id AS tool, seed.score * coalesce(edge.weight, 1.0) * 0.3 * 0.4 AS part
    UNION ALL
    UNWIND $templates AS seed
    MATCH (template:Template {id: seed.id})-[:USES]->(tool:Tool)
    RETURN tool.id AS tool, 0.6 * seed.score AS part
  }
  WITH tool, sum(part) AS score
  RETURN collect(tool) AS tools, collect(score) AS scores
}
OPTIONAL MATCH (after:Catalog {id: 'catalog'})
RETURN
  generation,
  writing,
  coalesce(after.generation, 0) AS generation_after,
  coalesce(after.writing, false) AS writing_after,
  tools,
  scores
