// What every source says of the given {LABEL} nodes, in no order; unknown ids are left out.
//
// params: ids
// returns: source, id, content_hash, declares, not_requires, not_implements, labels, named
UNWIND $ids AS id
MATCH (node:{LABEL} {id: id})-[provision:PROVIDED_BY]->(source:Source)
RETURN
  source.id AS source,
  id,
  coalesce(provision.content_hash, '') AS content_hash,
  coalesce(provision.declares, false) AS declares,
  coalesce(provision.not_requires, []) AS not_requires,
  coalesce(provision.not_implements, []) AS not_implements,
  coalesce(provision.labels, []) AS labels,
  coalesce(provision.named, '') AS named
