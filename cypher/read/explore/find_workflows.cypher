// The given workflows as they are stored, in no order; unknown ids are left out.
//
// params: ids
// returns: id, name, goal, document, broken, reason, updated_at, owner, sources
UNWIND $ids AS workflow_id
MATCH (workflow:Workflow {id: workflow_id})
OPTIONAL MATCH (workflow)-[:PROVIDED_BY]->(source:Source)
WITH workflow, collect(DISTINCT source.id) AS sources
RETURN
  workflow.id AS id,
  coalesce(workflow.name, '') AS name,
  coalesce(workflow.goal, '') AS goal,
  coalesce(workflow.document, '') AS document,
  coalesce(workflow.broken, false) AS broken,
  coalesce(workflow.reason, '') AS reason,
  coalesce(workflow.updated_at, '') AS updated_at,
  coalesce(workflow.owner, '') AS owner,
  sources
