// What is kept of requests that nothing met, those that were asked for last first, then by id; at most `limit`.
//
// params: limit
// returns: id, kind, text, near, count, first_at, last_at
MATCH (unmet:Unmet)
RETURN
  unmet.id AS id,
  coalesce(unmet.kind, '') AS kind,
  coalesce(unmet.text, '') AS text,
  coalesce(unmet.near, []) AS near,
  coalesce(unmet.count, 0) AS count,
  coalesce(unmet.first_at, '') AS first_at,
  coalesce(unmet.last_at, '') AS last_at
ORDER BY last_at DESC, id
LIMIT $limit
