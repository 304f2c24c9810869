// Every node of any label that has this id; a generator is found once, as a generator.
//
// params: id
// returns: label, id, name
CALL () {
  MATCH (node:Tool {id: $id})
  RETURN node
  UNION ALL
  MATCH (node:Method {id: $id})
  RETURN node
  UNION ALL
  MATCH (node:Category {id: $id})
  RETURN node
  UNION ALL
  MATCH (node:Concept {id: $id})
  RETURN node
  UNION ALL
  MATCH (node:Template {id: $id})
  RETURN node
  UNION ALL
  MATCH (node:Example {id: $id})
  RETURN node
  UNION ALL
  MATCH (node:Workflow {id: $id})
  RETURN node
}
RETURN
  coalesce(head([label IN labels(node) WHERE label <> 'Tool']), 'Tool') AS label,
  node.id AS id,
  coalesce(node.name, node.text, '') AS name
ORDER BY label
