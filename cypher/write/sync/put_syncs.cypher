// Write records of syncs, each into its place; what was there is replaced.
//
// params: rows
// rows: id, properties
// returns: written
UNWIND $rows AS row
MERGE (sync:Sync {id: row.id})
SET sync = row.properties
RETURN count(sync) AS written
