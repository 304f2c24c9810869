// Create ENHANCES edges from Method to Method. A row is a source and its edges, so that each source is looked up once.
// An edge whose ends do not both exist writes nothing. Nothing is merged: the caller removed what was there.
//
// params: rows
// rows: source, edges
// edges: target, weight, confidence, evidence
// returns: written
UNWIND $rows AS row
MATCH (source:Method {id: row.source})
UNWIND row.edges AS edge
MATCH (target:Method {id: edge.target})
CREATE
  (source)-[:ENHANCES {
    weight: edge.weight,
    confidence: edge.confidence,
    evidence: edge.evidence
  }]->(target)
RETURN count(*) AS written
