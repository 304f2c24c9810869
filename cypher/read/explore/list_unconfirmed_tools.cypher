// Tools whose definition has changes that nobody has confirmed, by id, with the source that describes each.
//
// params:
// returns: id, source, changes
MATCH (tool:Tool)
WHERE tool.unconfirmed IS NOT NULL AND NOT tool:Generator
MATCH (tool)-[provision:PROVIDED_BY]->(source:Source)
WHERE NOT coalesce(provision.declares, false)
RETURN tool.id AS id, source.id AS source, tool.unconfirmed AS changes
ORDER BY id, source
