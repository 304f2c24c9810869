// All HAS_EXAMPLE edges from Method to Example, collected per source, in no order.
//
// params: 
// returns: source, targets, positions
MATCH (source:Method)-[edge:HAS_EXAMPLE]->(target:Example)
RETURN source.id AS source, collect(target.id) AS targets, collect(coalesce(edge.position, 0)) AS positions
