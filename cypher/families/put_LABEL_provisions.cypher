// Say that sources provide {LABEL} nodes, or replace what they say of them. A row is a source and the nodes that it
// provides, so that each source is looked up once.
// A node that does not exist writes nothing. The old edge goes and a new one comes: that is three times as fast
// as merging, and the old one is looked for from the node, which has few edges; the source has many.
//
// params: rows
// rows: source, edges
// edges: id, content_hash, declares, not_requires, not_implements, labels, named
// returns: written
UNWIND $rows AS row
MATCH (source:Source {id: row.source})
UNWIND row.edges AS edge
MATCH (node:{LABEL} {id: edge.id})
OPTIONAL MATCH (node)-[old:PROVIDED_BY]->(provider:Source)
WHERE provider.id = row.source
DELETE old
CREATE
  (node)-[:PROVIDED_BY {
    content_hash: edge.content_hash,
    declares: edge.declares,
    not_requires: edge.not_requires,
    not_implements: edge.not_implements,
    labels: edge.labels,
    named: edge.named
  }]->(source)
RETURN count(*) AS written
