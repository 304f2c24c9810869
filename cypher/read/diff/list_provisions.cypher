// What the given sources provide, collected per source and label, in no order. A generator is no tool here.
//
// params: sources
// returns: source, label, ids, hashes, declares, not_requires, not_implements, labels, named
UNWIND $sources AS id
MATCH (source:Source {id: id})<-[provision:PROVIDED_BY]-(node)
RETURN
  id AS source,
  coalesce(head([label IN labels(node) WHERE label <> 'Tool']), 'Tool') AS label,
  collect(node.id) AS ids,
  collect(coalesce(provision.content_hash, '')) AS hashes,
  collect(coalesce(provision.declares, false)) AS declares,
  collect(coalesce(provision.not_requires, [])) AS not_requires,
  collect(coalesce(provision.not_implements, [])) AS not_implements,
  collect(coalesce(provision.labels, [])) AS labels,
  collect(coalesce(provision.named, '')) AS named
