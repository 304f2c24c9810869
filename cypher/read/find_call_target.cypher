// What a call of a tool needs beside its card; no row for an unknown id and for a generator.
//
// params: id
// returns: base_url, security
MATCH (tool:Tool {id: $id})
WHERE NOT tool:Generator
RETURN coalesce(tool.base_url, '') AS base_url, coalesce(tool.security, []) AS security
