// All IMPLEMENTS edges from Method to Tool, collected per source, in no order.
//
// params: 
// returns: source, targets
MATCH (source:Method)-[edge:IMPLEMENTS]->(target:Tool)
RETURN source.id AS source, collect(target.id) AS targets
