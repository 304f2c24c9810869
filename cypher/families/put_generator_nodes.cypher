// Create Generator nodes, or replace all properties of those that exist; edges stay.
// A generator is a `Tool` too; an id that a plain tool has is refused by the constraint. The other way round a tool put
// under the id of a generator replaces the properties of that generator: callers keep the ids apart.
// `properties` holds the id too; a property that it lacks is absent afterwards.
//
// params: rows
// rows: id, properties
// returns: written
UNWIND $rows AS row
MERGE (node:Tool:Generator {id: row.id})
SET node = row.properties
RETURN count(node) AS written
