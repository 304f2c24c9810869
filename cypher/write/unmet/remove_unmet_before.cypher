// Remove entries of requests that nothing met and that nobody has asked for since a time.
//
// params: before
// returns:
MATCH (unmet:Unmet)
WHERE unmet.last_at < $before
DETACH DELETE unmet
