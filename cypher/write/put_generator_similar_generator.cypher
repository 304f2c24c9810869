// Create SIMILAR edges from Generator to Generator. A row is a source and its edges, so that each source is looked up once.
// An edge whose ends do not both exist writes nothing. Nothing is merged: the caller removed what was there.
//
// params: rows
// rows: source, edges
// edges: target, weight, reason, confidence, evidence
// returns: written
UNWIND $rows AS row
MATCH (source:Generator {id: row.source})
UNWIND row.edges AS edge
MATCH (target:Generator {id: edge.target})
CREATE
  (source)-[:SIMILAR {
    weight: edge.weight,
    reason: edge.reason,
    confidence: edge.confidence,
    evidence: edge.evidence
  }]->(target)
RETURN count(*) AS written
