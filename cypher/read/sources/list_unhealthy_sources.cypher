// The sources that could not be read the last time, by id; most graphs have none.
//
// params:
// returns: id, kind, name, uri, version, content_hash, synced_at, listed_in, healthy, problem, problem_said, problem_at, file_state, trust
MATCH (source:Source)
WHERE source.healthy = false
RETURN
  source.id AS id,
  coalesce(source.kind, '') AS kind,
  coalesce(source.name, '') AS name,
  coalesce(source.uri, '') AS uri,
  coalesce(source.version, '') AS version,
  coalesce(source.content_hash, '') AS content_hash,
  coalesce(source.synced_at, '') AS synced_at,
  coalesce(source.listed_in, '') AS listed_in,
  coalesce(source.healthy, true) AS healthy,
  coalesce(source.problem, '') AS problem,
  coalesce(source.problem_said, '') AS problem_said,
  coalesce(source.problem_at, '') AS problem_at,
  coalesce(source.file_state, '') AS file_state,
  coalesce(source.trust, 'full') AS trust
ORDER BY id
