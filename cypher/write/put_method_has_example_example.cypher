// Create HAS_EXAMPLE edges from Method to Example. A row is a source and its edges, so that each source is looked up once.
// An edge whose ends do not both exist writes nothing. Nothing is merged: the caller removed what was there.
//
// params: rows
// rows: source, edges
// edges: target, position
// returns: written
UNWIND $rows AS row
MATCH (source:Method {id: row.source})
UNWIND row.edges AS edge
MATCH (target:Example {id: edge.target})
CREATE
  (source)-[:HAS_EXAMPLE {
    position: edge.position
  }]->(target)
RETURN count(*) AS written
