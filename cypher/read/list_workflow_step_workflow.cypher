// All STEP edges from Workflow to Workflow, collected per source, in no order.
//
// params:
// returns: source, targets, positions
MATCH (source:Workflow)-[edge:STEP]->(target:Workflow)
RETURN source.id AS source, collect(target.id) AS targets, collect(coalesce(edge.position, 0)) AS positions
