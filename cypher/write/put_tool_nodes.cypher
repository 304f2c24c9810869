// Create Tool nodes, or replace all properties of those that exist; edges stay.
// A tool whose id a generator has is that generator: callers keep the ids apart.
// `properties` holds the id too; a property that it lacks is absent afterwards.
//
// params: rows
// rows: id, properties
// returns: written
UNWIND $rows AS row
MERGE (node:Tool {id: row.id})
SET node = row.properties
RETURN count(node) AS written
