// Say no longer that a source provides these {LABEL} nodes; the nodes stay.
//
// params: source, ids
// returns:
UNWIND $ids AS id
MATCH (node:{LABEL} {id: id})-[provision:PROVIDED_BY]->(source:Source)
WHERE source.id = $source
DELETE provision
