// The whole schema
// Which kinds of nodes are joined by which kinds of edges, how often, and one such edge to draw: one row a form,
// the most frequent first. Reads every edge: seconds on a large graph.
//
// params:
// returns: source, kind, target, edges, example
MATCH example = (from)-[link]->(to)
WITH
  labels(from) AS sources,
  type(link) AS kind,
  labels(to) AS targets,
  collect(example)[0] AS example,
  count(*) AS edges
RETURN
  CASE WHEN 'Generator' IN sources THEN 'Generator' ELSE sources[0] END AS source,
  kind,
  CASE WHEN 'Generator' IN targets THEN 'Generator' ELSE targets[0] END AS target,
  edges,
  example
ORDER BY edges DESC, source, kind, target
