// The four channels of `auto` that the graph gives, for every tool that the seeds reach, always one row of lists of equal length.
// power, sum: over the tools of the seed methods. template: score / (1 + `template_decay` place) over the tools that a
// template uses. concept: score / (1 + `concept_decay` place) over the tools of its methods. `position` is the place,
// from 0. What common methods suggest is in every index, and no part of this.
// The row mixes two generations when the generation changed meanwhile or the graph was being written at either end.
//
// params: methods, templates, concepts, template_decay, concept_decay
// returns: generation, writing, generation_after, writing_after, tools, powers, sums, templates, concepts
OPTIONAL MATCH (before:Catalog {id: 'catalog'})
WITH coalesce(before.generation, 0) AS generation, coalesce(before.writing, false) AS writing
CALL () {
  CALL () {
    UNWIND $methods AS seed
    MATCH (method:Method {id: seed.id})-[:IMPLEMENTS]->(tool:Tool)
    RETURN tool.id AS tool, seed.power AS power, seed.sum AS sum_part, 0.0 AS template, 0.0 AS concept
    UNION ALL
    UNWIND $templates AS seed
    MATCH (template:Template {id: seed.id})-[use:USES]->(used:Tool)
    RETURN
      used.id AS tool,
      0.0 AS power,
      0.0 AS sum_part,
      seed.score / (1 + $template_decay * coalesce(use.position, 0)) AS template,
      0.0 AS concept
    UNION ALL
    UNWIND $concepts AS seed
    MATCH (concept:Concept {id: seed.id})-[relation:RELATED_TO]->(:Method)-[:IMPLEMENTS]->(tool:Tool)
    RETURN
      tool.id AS tool,
      0.0 AS power,
      0.0 AS sum_part,
      0.0 AS template,
      seed.score / (1 + $concept_decay * coalesce(relation.position, 0)) AS concept
  }
  WITH
    tool,
    sum(power) AS power,
    sum(sum_part) AS sum_part,
    sum(template) AS template,
    sum(concept) AS concept
  RETURN
    collect(tool) AS tools,
    collect(power) AS powers,
    collect(sum_part) AS sums,
    collect(template) AS templates,
    collect(concept) AS concepts
}
OPTIONAL MATCH (after:Catalog {id: 'catalog'})
RETURN
  generation,
  writing,
  coalesce(after.generation, 0) AS generation_after,
  coalesce(after.writing, false) AS writing_after,
  tools,
  powers,
  sums,
  templates,
  concepts
