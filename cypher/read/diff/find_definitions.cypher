// What decides where calls of the given tools go and how harmless they look, and what of it was trusted last; in no
// order. `confirmed` is a definition as JSON, empty where that is the one of now. Unknown ids and generators are left
// out.
//
// params: ids
// returns: id, declared, method, path, base_url, security, read_only, destructive, idempotent, open_world, confirmed
UNWIND $ids AS id
MATCH (tool:Tool {id: id})
WHERE NOT tool:Generator
RETURN
  tool.id AS id,
  coalesce(tool.declared, false) AS declared,
  coalesce(tool.method, '') AS method,
  coalesce(tool.path, '') AS path,
  coalesce(tool.base_url, '') AS base_url,
  coalesce(tool.security, []) AS security,
  tool.read_only AS read_only,
  tool.destructive AS destructive,
  tool.idempotent AS idempotent,
  tool.open_world AS open_world,
  coalesce(tool.confirmed, '') AS confirmed
