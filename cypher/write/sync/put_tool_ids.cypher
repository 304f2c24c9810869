// Give tools another id; every edge stays, and the tool remembers its last ten ids, the newest first.
// Unknown ids are left out; an id in use is refused by the constraint.
//
// params: rows
// rows: id, new_id
// returns: written
UNWIND $rows AS row
MATCH (tool:Tool {id: row.id})
SET tool.former_ids = [row.id] + coalesce(tool.former_ids, [])[0..9]
SET tool.id = row.new_id
RETURN count(tool) AS written
