// Create BELONGS_TO edges from Tool to Category. A row is a source and its edges, so that each source is looked up once.
// An edge whose ends do not both exist writes nothing. Nothing is merged: the caller removed what was there.
//
// params: rows
// rows: source, edges
// edges: target, stated_by
// returns: written
UNWIND $rows AS row
MATCH (source:Tool {id: row.source})
UNWIND row.edges AS edge
MATCH (target:Category {id: edge.target})
CREATE
  (source)-[:BELONGS_TO {
    stated_by: edge.stated_by
  }]->(target)
RETURN count(*) AS written
