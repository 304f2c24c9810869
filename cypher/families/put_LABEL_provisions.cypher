// Say that a source provides {LABEL} nodes, or replace what it says of them.
// A row whose node does not exist writes nothing. The old edge goes and a new one comes: that is three times as fast
// as merging, and the old one is looked for from the node, which has few edges; the source has many.
//
// params: source, rows
// rows: id, content_hash, declares, not_requires, named
// returns: written
MATCH (source:Source {id: $source})
UNWIND $rows AS row
MATCH (node:{LABEL} {id: row.id})
OPTIONAL MATCH (node)-[old:PROVIDED_BY]->(provider:Source)
WHERE provider.id = $source
DELETE old
CREATE
  (node)-[:PROVIDED_BY {
    content_hash: row.content_hash,
    declares: row.declares,
    not_requires: row.not_requires,
    named: row.named
  }]->(source)
RETURN count(*) AS written
