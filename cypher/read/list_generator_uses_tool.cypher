// All USES edges from Generator to Tool, collected per source, in no order.
//
// params: 
// returns: source, targets
MATCH (source:Generator)-[edge:USES]->(target:Tool)
RETURN source.id AS source, collect(target.id) AS targets
