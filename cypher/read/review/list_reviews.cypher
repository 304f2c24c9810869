// What is kept of every definition that is reviewed, by id; without the definitions themselves, which may be long.
//
// params:
// returns: id, source, state, severity, reviewed, approved_hash, approved, seen_hash, seen, by, reason, at, seen_at, findings
MATCH (review:Review)
RETURN
  review.id AS id,
  coalesce(review.source, '') AS source,
  coalesce(review.state, '') AS state,
  coalesce(review.severity, '') AS severity,
  coalesce(review.reviewed, false) AS reviewed,
  coalesce(review.approved_hash, '') AS approved_hash,
  '' AS approved,
  coalesce(review.seen_hash, '') AS seen_hash,
  '' AS seen,
  coalesce(review.by, '') AS by,
  coalesce(review.reason, '') AS reason,
  coalesce(review.at, '') AS at,
  coalesce(review.seen_at, '') AS seen_at,
  coalesce(review.findings, []) AS findings
ORDER BY id
