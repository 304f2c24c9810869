// The given Category nodes, without their edges, in no order; unknown ids are left out.
//
// params: ids
// returns: id, name, description
UNWIND $ids AS category_id
MATCH (category:Category {id: category_id})
RETURN
  category.id AS id,
  coalesce(category.name, '') AS name,
  coalesce(category.description, '') AS description
