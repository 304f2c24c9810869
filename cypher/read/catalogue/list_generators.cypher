// Every Generator, without its edges, in no order.
//
// params:
// returns: id, name, description, parameters
MATCH (generator:Generator)
RETURN
  generator.id AS id,
  coalesce(generator.name, '') AS name,
  coalesce(generator.description, '') AS description,
  coalesce(generator.parameters, []) AS parameters
