// The edges of the given kinds that leave or enter the given {LABEL} nodes, with the node at the other end: for each
// node, direction and kind those from place `skip` to `until`, the surest first; `count` is how many there are in all.
// What an edge does not carry is 0, false or empty. In no order; `place` counts from 0.
//
// params: ids, kinds, min_confidence, skip, until
// returns: id, name, direction, kind, count, place, other_label, other, other_name, weight, confidence, evidence, reason, parameter, field, optional, rank, position
CALL () {
  UNWIND $ids AS given_id
  MATCH (given:{LABEL} {id: given_id})-[edge]->(other)
  WHERE type(edge) IN $kinds AND coalesce(edge.confidence, 1.0) >= $min_confidence
  RETURN given, 'out' AS direction, edge, other
  UNION ALL
  UNWIND $ids AS given_id
  MATCH (given:{LABEL} {id: given_id})<-[edge]-(other)
  WHERE type(edge) IN $kinds AND coalesce(edge.confidence, 1.0) >= $min_confidence
  RETURN given, 'in' AS direction, edge, other
}
WITH given, direction, edge, other
ORDER BY
  coalesce(edge.confidence, 1.0) DESC,
  coalesce(edge.weight, 1.0) DESC,
  coalesce(edge.rank, 0),
  coalesce(edge.position, 0),
  other.id,
  labels(other),
  coalesce(edge.parameter, '')
WITH given.id AS id, coalesce(given.name, given.text, '') AS name, direction, type(edge) AS kind, collect(edge) AS edges
WITH id, name, direction, kind, size(edges) AS count, edges[$skip..$until] AS page
UNWIND range(0, size(page) - 1) AS at
WITH id, name, direction, kind, count, $skip + at AS place, page[at] AS edge
WITH
  id, name, direction, kind, count, place, edge,
  CASE direction WHEN 'out' THEN endNode(edge) ELSE startNode(edge) END AS other
RETURN
  id,
  name,
  direction,
  kind,
  count,
  place,
  coalesce(head([label IN labels(other) WHERE label <> 'Tool']), 'Tool') AS other_label,
  other.id AS other,
  coalesce(other.name, other.text, '') AS other_name,
  coalesce(edge.weight, 1.0) AS weight,
  coalesce(edge.confidence, 1.0) AS confidence,
  coalesce(edge.evidence, '') AS evidence,
  coalesce(edge.reason, '') AS reason,
  coalesce(edge.parameter, '') AS parameter,
  coalesce(edge.field, '') AS field,
  coalesce(edge.optional, false) AS optional,
  coalesce(edge.rank, 0) AS rank,
  coalesce(edge.position, 0) AS position
