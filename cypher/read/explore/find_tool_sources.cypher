// Which sources provide a tool, and whether they only declare it, by id.
//
// params: id
// returns: source, declares
MATCH (tool:Tool {id: $id})-[provision:PROVIDED_BY]->(source:Source)
RETURN source.id AS source, coalesce(provision.declares, false) AS declares
ORDER BY source
