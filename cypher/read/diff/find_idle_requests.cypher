// The requests whose tool is gone, with the id that it had when they were written, in no order.
//
// params:
// returns: id, tool
MATCH (example:Example)
WHERE example.basis IS NOT NULL AND NOT (example)<-[:HAS_EXAMPLE]-(:Tool)
RETURN example.id AS id, coalesce(example.tool, '') AS tool
