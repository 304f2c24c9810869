// How many nodes of each label every source provides, and how many of them it only declares.
// A generator counts as a generator, not as a tool. A source that provides nothing is left out.
//
// params:
// returns: source, label, nodes, declared
MATCH (source:Source)<-[provision:PROVIDED_BY]-(node)
WITH
  source.id AS source,
  coalesce(head([label IN labels(node) WHERE label <> 'Tool']), 'Tool') AS label,
  CASE WHEN provision.declares THEN 1 ELSE 0 END AS declares
RETURN source, label, count(*) AS nodes, sum(declares) AS declared
ORDER BY source, label
