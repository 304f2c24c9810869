// All USES edges from Template to Method, collected per source, in no order.
//
// params: 
// returns: source, targets, positions
MATCH (source:Template)-[edge:USES]->(target:Method)
RETURN source.id AS source, collect(target.id) AS targets, collect(coalesce(edge.position, 0)) AS positions
