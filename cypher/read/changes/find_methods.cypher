// The given Method nodes, without their edges, in no order; unknown ids are left out.
//
// params: ids
// returns: id, name, description, tags, parameters, examples, common
UNWIND $ids AS method_id
MATCH (method:Method {id: method_id})
RETURN
  method.id AS id,
  coalesce(method.name, '') AS name,
  coalesce(method.description, '') AS description,
  coalesce(method.tags, []) AS tags,
  coalesce(method.parameters, []) AS parameters,
  coalesce(method.examples, []) AS examples,
  coalesce(method.common, false) AS common
