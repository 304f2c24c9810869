// Every Category, without its edges, in no order.
//
// params:
// returns: id, name, description
MATCH (category:Category)
RETURN
  category.id AS id,
  coalesce(category.name, '') AS name,
  coalesce(category.description, '') AS description
