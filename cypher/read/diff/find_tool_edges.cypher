// Every stated edge that leaves or enters the given Tool nodes, with both ends and all its properties, in no order.
// What inference writes (reason `structure`, or evidence `structure`, `schema`, `path`, `name`, `inferred` or
// `generated`) is left out, and so are the edges to sources.
//
// params: ids
// returns: source_label, source, kind, target_label, target, properties
UNWIND $ids AS id
MATCH (tool:Tool {id: id})-[edge]-(other)
WHERE
  type(edge) <> 'PROVIDED_BY'
  AND coalesce(edge.reason, '') <> 'structure'
  AND NOT coalesce(edge.evidence, '') IN ['structure', 'schema', 'path', 'name', 'inferred', 'generated']
WITH DISTINCT edge
WITH edge, startNode(edge) AS source, endNode(edge) AS target
RETURN
  coalesce(head([label IN labels(source) WHERE label <> 'Tool']), 'Tool') AS source_label,
  source.id AS source,
  type(edge) AS kind,
  coalesce(head([label IN labels(target) WHERE label <> 'Tool']), 'Tool') AS target_label,
  target.id AS target,
  properties(edge) AS properties
