// All USES edges from Template to Tool, collected per source, in no order.
//
// params: 
// returns: source, targets, positions
MATCH (source:Template)-[edge:USES]->(target:Tool)
RETURN source.id AS source, collect(target.id) AS targets, collect(coalesce(edge.position, 0)) AS positions
