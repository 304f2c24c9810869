// All PART_OF edges from Tool to Template, collected per source, in no order.
//
// params: 
// returns: source, targets
MATCH (source:Tool)-[edge:PART_OF]->(target:Template)
RETURN source.id AS source, collect(target.id) AS targets
