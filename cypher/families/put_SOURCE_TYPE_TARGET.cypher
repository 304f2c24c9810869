// Create {TYPE} edges from {SOURCE} to {TARGET}. A row is a source and its edges, so that each source is looked up once.
// An edge whose ends do not both exist writes nothing. Nothing is merged: the caller removed what was there.
//
// params: rows
// rows: source, edges
// edges: target, {PROPERTIES}
// returns: written
UNWIND $rows AS row
MATCH (source:{SOURCE} {id: row.source})
UNWIND row.edges AS edge
MATCH (target:{TARGET} {id: edge.target})
CREATE (source)-[:{TYPE}{PROPERTIES}]->(target)
RETURN count(*) AS written
