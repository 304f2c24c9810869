// Every edge that leaves the given {LABEL} nodes, but for those to sources, with all its properties, collected per node,
// in no order. What leads to a generator has the label `Generator`.
//
// params: ids
// returns: source, kinds, labels, targets, properties
UNWIND $ids AS id
MATCH (node:{LABEL} {id: id})-[edge]->(other)
WHERE NOT other:Source
RETURN
  id AS source,
  collect(type(edge)) AS kinds,
  collect(coalesce(head([label IN labels(other) WHERE label <> 'Tool']), 'Tool')) AS labels,
  collect(other.id) AS targets,
  collect(properties(edge)) AS properties
