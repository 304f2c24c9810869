// The given Generator nodes, without their edges, in no order; unknown ids are left out.
//
// params: ids
// returns: id, name, description, parameters
UNWIND $ids AS generator_id
MATCH (generator:Generator {id: generator_id})
RETURN
  generator.id AS id,
  coalesce(generator.name, '') AS name,
  coalesce(generator.description, '') AS description,
  coalesce(generator.parameters, []) AS parameters
