// The given Template nodes, without their edges, in no order; unknown ids are left out.
//
// params: ids
// returns: id, name, surface, interior, tags
UNWIND $ids AS template_id
MATCH (template:Template {id: template_id})
RETURN
  template.id AS id,
  coalesce(template.name, '') AS name,
  coalesce(template.surface, '') AS surface,
  coalesce(template.interior, '') AS interior,
  coalesce(template.tags, []) AS tags
