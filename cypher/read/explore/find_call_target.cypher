// What a call of a tool needs beside its card, with its sources by id and whether each only declares it.
// No row for an unknown id and for a generator.
//
// params: id
// returns: base_url, security, confirmed, sources, declares
MATCH (tool:Tool {id: $id})
WHERE NOT tool:Generator
OPTIONAL MATCH (tool)-[provision:PROVIDED_BY]->(source:Source)
WITH tool, provision, source
ORDER BY source.id
RETURN
  coalesce(tool.base_url, '') AS base_url,
  coalesce(tool.security, []) AS security,
  coalesce(tool.confirmed, '') AS confirmed,
  collect(source.id) AS sources,
  collect(CASE WHEN source IS NULL THEN null ELSE coalesce(provision.declares, false) END) AS declares
