// The records of what generations touched, of those after `since`, in no order; only the last ones are kept.
//
// params: since
// returns: generation, before, touched
MATCH (record:Generation)
WHERE record.generation > $since
RETURN record.generation AS generation, record.before AS before, record.touched AS touched
