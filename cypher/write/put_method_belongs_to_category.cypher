// Create BELONGS_TO edges from Method to Category. A row is a source and its edges, so that each source is looked up once.
// An edge whose ends do not both exist writes nothing. Nothing is merged: the caller removed what was there.
//
// params: rows
// rows: source, edges
// edges: target
// returns: written
UNWIND $rows AS row
MATCH (source:Method {id: row.source})
UNWIND row.edges AS edge
MATCH (target:Category {id: edge.target})
CREATE (source)-[:BELONGS_TO]->(target)
RETURN count(*) AS written
