// Create STEP edges from Workflow to Tool. A row is a source and its edges, so that each source is looked up once.
// An edge whose ends do not both exist writes nothing. Nothing is merged: the caller removed what was there.
//
// params: rows
// rows: source, edges
// edges: target, position, bindings
// returns: written
UNWIND $rows AS row
MATCH (source:Workflow {id: row.source})
UNWIND row.edges AS edge
MATCH (target:Tool {id: edge.target})
CREATE
  (source)-[:STEP {
    position: edge.position,
    bindings: edge.bindings
  }]->(target)
RETURN count(*) AS written
