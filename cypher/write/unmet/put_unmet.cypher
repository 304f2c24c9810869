// Add up requests that nothing met: a new entry, or the number and the time of one that is there.
//
// params: rows
// rows: id, kind, text, near, count, first_at, last_at
// returns: written
UNWIND $rows AS row
MERGE (unmet:Unmet {id: row.id})
SET
  unmet.kind = row.kind,
  unmet.text = row.text,
  unmet.near = row.near,
  unmet.count = coalesce(unmet.count, 0) + row.count,
  unmet.first_at = coalesce(unmet.first_at, row.first_at),
  unmet.last_at = row.last_at
RETURN count(unmet) AS written
