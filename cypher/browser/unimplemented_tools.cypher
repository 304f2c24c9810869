// Tools nobody implements
// Tools that only a taxonomy names: no server brings them, so nothing can call them. With what waits for them;
// path is empty where nothing does. No row: every tool is there.
//
// params:
// returns: tool, path
MATCH (tool:Tool {declared: true})
OPTIONAL MATCH path = (tool)<-[:IMPLEMENTS|USES|REQUIRES]-(waiting)
RETURN tool, path
ORDER BY tool.id
LIMIT 200
