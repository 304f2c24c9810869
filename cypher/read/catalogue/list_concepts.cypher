// Every Concept, without its edges, in no order.
//
// params:
// returns: id, name, description, tags
MATCH (concept:Concept)
RETURN
  concept.id AS id,
  coalesce(concept.name, '') AS name,
  coalesce(concept.description, '') AS description,
  coalesce(concept.tags, []) AS tags
