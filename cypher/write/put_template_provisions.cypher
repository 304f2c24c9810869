// Say that a source provides Template nodes, or replace what it says of them.
// A row whose node does not exist writes nothing. The edge is merged from its node, which has few; the source has many.
//
// params: source, rows
// rows: id, content_hash, declares, not_requires
// returns: written
MATCH (source:Source {id: $source})
UNWIND $rows AS row
MATCH (node:Template {id: row.id})
MERGE (node)-[provision:PROVIDED_BY]->(source)
SET
  provision.content_hash = row.content_hash,
  provision.declares = row.declares,
  provision.not_requires = row.not_requires
RETURN count(provision) AS written
