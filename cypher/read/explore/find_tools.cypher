// The given tools with the ids of their categories; unknown ids and generators are left out.
//
// params: ids
// returns: id, server, name, title, description, input_schema, output_schema, method, path, read_only, destructive, idempotent, open_world, deprecated, declared, content_hash, unconfirmed, trust, reviewed, categories
UNWIND $ids AS tool_id
MATCH (tool:Tool {id: tool_id})
WHERE NOT tool:Generator
OPTIONAL MATCH (tool)-[:BELONGS_TO]->(category:Category)
WITH tool, collect(DISTINCT category.id) AS categories
RETURN
  tool.id AS id,
  coalesce(tool.server, '') AS server,
  coalesce(tool.name, '') AS name,
  coalesce(tool.title, '') AS title,
  coalesce(tool.description, '') AS description,
  coalesce(tool.input_schema, '') AS input_schema,
  coalesce(tool.output_schema, '') AS output_schema,
  coalesce(tool.method, '') AS method,
  coalesce(tool.path, '') AS path,
  tool.read_only AS read_only,
  tool.destructive AS destructive,
  tool.idempotent AS idempotent,
  tool.open_world AS open_world,
  coalesce(tool.deprecated, false) AS deprecated,
  coalesce(tool.declared, false) AS declared,
  coalesce(tool.content_hash, '') AS content_hash,
  coalesce(tool.unconfirmed, []) AS unconfirmed,
  tool.trust AS trust,
  tool.reviewed AS reviewed,
  categories
ORDER BY id
