// Tools that no method names
// Tools of a server that no method is implemented by and no template uses: what the taxonomy does not speak of,
// and what is found by its own words only. At most 200.
//
// params:
// returns: tool
MATCH (tool:Tool)
WHERE tool.declared = false AND NOT (tool)<-[:IMPLEMENTS]-(:Method) AND NOT (tool)<-[:USES]-(:Template)
RETURN tool
ORDER BY tool.id
LIMIT 200
