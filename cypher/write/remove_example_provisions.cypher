// Say no longer that a source provides these Example nodes; the nodes stay.
//
// params: source, ids
// returns:
UNWIND $ids AS id
MATCH (node:Example {id: id})-[provision:PROVIDED_BY]->(source:Source)
WHERE source.id = $source
DELETE provision
