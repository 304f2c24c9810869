// Create REQUIRES edges from Tool to Tool. A row is a source and its edges, so that each source is looked up once.
// An edge whose ends do not both exist writes nothing. Nothing is merged: the caller removed what was there.
//
// params: rows
// rows: source, edges
// edges: target, stated_by, parameter, optional, field, confidence, evidence, rank
// returns: written
UNWIND $rows AS row
MATCH (source:Tool {id: row.source})
UNWIND row.edges AS edge
MATCH (target:Tool {id: edge.target})
CREATE
  (source)-[:REQUIRES {
    stated_by: edge.stated_by,
    parameter: edge.parameter,
    optional: edge.optional,
    field: edge.field,
    confidence: edge.confidence,
    evidence: edge.evidence,
    rank: edge.rank
  }]->(target)
RETURN count(*) AS written
