// All {TYPE} edges from {SOURCE} to {TARGET}, collected per source, in no order.
//
// params:
// returns: source, targets, positions
MATCH (source:{SOURCE})-[edge:{TYPE}]->(target:{TARGET})
RETURN source.id AS source, collect(target.id) AS targets, collect(coalesce(edge.position, 0)) AS positions
