// The whole schema
// Which kinds of nodes are joined by which kinds of edges, and how often: one row a form, the most frequent
// first. Reads every edge, seconds on a large graph.
//
// params:
// returns: source, edge, target, edges
MATCH (from)-[edge]->(to)
WITH labels(from) AS sources, type(edge) AS edge, labels(to) AS targets, count(*) AS edges
RETURN sources[0] AS source, edge, targets[0] AS target, edges
ORDER BY edges DESC, source, edge, target
