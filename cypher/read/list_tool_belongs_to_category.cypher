// All BELONGS_TO edges from Tool to Category, collected per source, in no order.
//
// params: 
// returns: source, targets
MATCH (source:Tool)-[edge:BELONGS_TO]->(target:Category)
RETURN source.id AS source, collect(target.id) AS targets
