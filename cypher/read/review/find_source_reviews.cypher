// What is kept of the definitions of one source, by id.
//
// params: source
// returns: id, source, state, severity, reviewed, approved_hash, approved, seen_hash, seen, by, reason, at, seen_at, findings
MATCH (review:Review {source: $source})
RETURN
  review.id AS id,
  coalesce(review.source, '') AS source,
  coalesce(review.state, '') AS state,
  coalesce(review.severity, '') AS severity,
  coalesce(review.reviewed, false) AS reviewed,
  coalesce(review.approved_hash, '') AS approved_hash,
  coalesce(review.approved, '') AS approved,
  coalesce(review.seen_hash, '') AS seen_hash,
  coalesce(review.seen, '') AS seen,
  coalesce(review.by, '') AS by,
  coalesce(review.reason, '') AS reason,
  coalesce(review.at, '') AS at,
  coalesce(review.seen_at, '') AS seen_at,
  coalesce(review.findings, []) AS findings
ORDER BY id
