// A page of tool ids, by id, those after `after_id`; null for `server` or `category` lets every tool pass.
// A tool is in a category when it belongs to it itself or carries out a method that does. No generators.
//
// params: server, category, after_id, limit
// returns: id
MATCH (tool:Tool)
WHERE
  tool.id > $after_id
  AND NOT tool:Generator
  AND ($server IS NULL OR tool.server = $server)
  AND (
    $category IS NULL
    OR EXISTS { MATCH (tool)-[:BELONGS_TO]->(own:Category) WHERE own.id = $category }
    OR EXISTS {
      MATCH (tool)<-[:IMPLEMENTS]-(:Method)-[:BELONGS_TO]->(of_method:Category)
      WHERE of_method.id = $category
    }
  )
RETURN tool.id AS id
ORDER BY id
LIMIT $limit
