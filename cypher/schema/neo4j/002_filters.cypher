// What listings and deletes filter on.
//
// params:
// returns:
CREATE INDEX tool_server IF NOT EXISTS
FOR (tool:Tool)
ON (tool.server);

CREATE INDEX tool_content_hash IF NOT EXISTS
FOR (tool:Tool)
ON (tool.content_hash);

CREATE INDEX source_content_hash IF NOT EXISTS
FOR (source:Source)
ON (source.content_hash);
