// Say no longer that a source provides these Tool nodes; the nodes stay.
//
// params: source, ids
// returns:
UNWIND $ids AS id
MATCH (node:Tool {id: id})-[provision:PROVIDED_BY]->(source:Source)
WHERE source.id = $source
DELETE provision
