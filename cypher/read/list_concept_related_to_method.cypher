// All RELATED_TO edges from Concept to Method, collected per source, in no order.
//
// params: 
// returns: source, targets, positions
MATCH (source:Concept)-[edge:RELATED_TO]->(target:Method)
RETURN source.id AS source, collect(target.id) AS targets, collect(coalesce(edge.position, 0)) AS positions
