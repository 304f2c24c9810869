// What the given {LABEL} nodes have edges from or to, but for sources, collected per label; one with two labels comes twice.
//
// params: ids
// returns: label, neighbours
UNWIND $ids AS id
MATCH (node:{LABEL} {id: id})--(other)
WHERE NOT other:Source
UNWIND labels(other) AS label
RETURN label, collect(DISTINCT other.id) AS neighbours
