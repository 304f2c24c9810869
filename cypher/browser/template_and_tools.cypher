// A template and its tools
// A template with the tools and methods that it uses, and which of these methods is carried out by which tool.
// Before the first run: :param template_id => 'template.missing_parcel'
//
// params: template_id
// returns: part, path
MATCH path = (:Template {id: $template_id})-[:USES]->(:Tool)
RETURN 'tool' AS part, path
UNION ALL
MATCH path = (:Template {id: $template_id})-[:USES]->(:Method)
RETURN 'method' AS part, path
UNION ALL
MATCH (template:Template {id: $template_id})-[:USES]->(method:Method)
MATCH path = (method)-[:IMPLEMENTS]->(tool:Tool)
WHERE (template)-[:USES]->(tool)
RETURN 'implements' AS part, path
