// Remove entries of requests that nothing met, all but the `most` that were asked for last.
//
// params: most
// returns:
MATCH (unmet:Unmet)
WITH unmet
ORDER BY unmet.last_at DESC, unmet.id
SKIP $most
DETACH DELETE unmet
