// Remove the stated edges of one kind that lead from the given nodes of one label to a Tool node.
// Between tools only those that `stated_by` stated; empty for the edges of other nodes, which carry no such mark.
// What only inference writes (reason `structure`, or evidence `structure`, `schema`, `path` or `name`) stays.
//
// params: rows
// rows: id, kind, label, sources, stated_by
// returns:
UNWIND $rows AS row
MATCH (tool:Tool {id: row.id})<-[edge]-(node)
WHERE
  type(edge) = row.kind
  AND row.label IN labels(node)
  AND node.id IN row.sources
  AND coalesce(edge.stated_by, '') = row.stated_by
  AND coalesce(edge.reason, '') <> 'structure'
  AND NOT coalesce(edge.evidence, '') IN ['structure', 'schema', 'path', 'name']
DELETE edge
