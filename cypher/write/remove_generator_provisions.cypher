// Say no longer that a source provides these Generator nodes; the nodes stay.
//
// params: source, ids
// returns:
UNWIND $ids AS id
MATCH (node:Generator {id: id})-[provision:PROVIDED_BY]->(source:Source)
WHERE source.id = $source
DELETE provision
