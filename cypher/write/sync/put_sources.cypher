// Create or replace sources.
//
// params: rows
// rows: id, properties
// returns: written
UNWIND $rows AS row
MERGE (source:Source {id: row.id})
SET source = row.properties
RETURN count(source) AS written
