// Every Template, without its edges, in no order.
//
// params:
// returns: id, name, surface, interior, tags
MATCH (template:Template)
RETURN
  template.id AS id,
  coalesce(template.name, '') AS name,
  coalesce(template.surface, '') AS surface,
  coalesce(template.interior, '') AS interior,
  coalesce(template.tags, []) AS tags
