// Create {LABEL} nodes, or replace all properties of those that exist; edges stay.
// `properties` holds the id too; a property that it lacks is absent afterwards.
//
// params: rows
// rows: id, properties
// returns: written
UNWIND $rows AS row
MERGE (node:{LABEL} {id: row.id})
SET node = row.properties
RETURN count(node) AS written
