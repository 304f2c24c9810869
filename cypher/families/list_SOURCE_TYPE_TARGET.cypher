// All {TYPE} edges from {SOURCE} to {TARGET}, collected per source, in no order.
//
// params:
// returns: source, targets
MATCH (source:{SOURCE})-[edge:{TYPE}]->(target:{TARGET})
RETURN source.id AS source, collect(target.id) AS targets
