// Full-text search over tools, for Neo4j Browser and for catalogues too large for memory.
//
// params:
// returns:
CREATE FULLTEXT INDEX tool_text IF NOT EXISTS
FOR (tool:Tool)
ON EACH [tool.name, tool.description];
