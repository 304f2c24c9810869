// The given Concept nodes, without their edges, in no order; unknown ids are left out.
//
// params: ids
// returns: id, name, description, tags
UNWIND $ids AS concept_id
MATCH (concept:Concept {id: concept_id})
RETURN
  concept.id AS id,
  coalesce(concept.name, '') AS name,
  coalesce(concept.description, '') AS description,
  coalesce(concept.tags, []) AS tags
