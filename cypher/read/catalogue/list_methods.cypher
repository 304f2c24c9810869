// Every Method, without its edges, in no order.
//
// params:
// returns: id, name, description, tags, parameters, examples, common
MATCH (method:Method)
RETURN
  method.id AS id,
  coalesce(method.name, '') AS name,
  coalesce(method.description, '') AS description,
  coalesce(method.tags, []) AS tags,
  coalesce(method.parameters, []) AS parameters,
  coalesce(method.examples, []) AS examples,
  coalesce(method.common, false) AS common
