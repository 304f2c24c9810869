// A page of the records of syncs of all sources, the newest first, those of one second by id: from `since` on, behind
// the record of time `before` and id `after_id`. `severities` are those of records, or the status of those that failed;
// null lets all pass.
//
// params: since, before, after_id, severities, limit
// returns: id, at, document
MATCH (sync:Sync)
WHERE
  sync.at >= $since
  AND (sync.at < $before OR (sync.at = $before AND sync.id > $after_id))
  AND ($severities IS NULL OR sync.severity IN $severities OR sync.status IN $severities)
RETURN sync.id AS id, sync.at AS at, sync.document AS document
ORDER BY at DESC, id
LIMIT $limit
