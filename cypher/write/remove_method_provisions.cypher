// Say no longer that a source provides these Method nodes; the nodes stay.
//
// params: source, ids
// returns:
UNWIND $ids AS id
MATCH (node:Method {id: id})-[provision:PROVIDED_BY]->(source:Source)
WHERE source.id = $source
DELETE provision
