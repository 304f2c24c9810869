// Id and name of every Workflow, in no order.
//
// params:
// returns: id, name, declared
MATCH (node:Workflow)
RETURN node.id AS id, coalesce(node.name, '') AS name, coalesce(node.declared, false) AS declared
