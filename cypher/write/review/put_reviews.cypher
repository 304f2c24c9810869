// Create or replace what is kept of definitions that are reviewed.
//
// params: rows
// rows: id, properties
// returns: written
UNWIND $rows AS row
MERGE (review:Review {id: row.id})
SET review = row.properties
RETURN count(review) AS written
