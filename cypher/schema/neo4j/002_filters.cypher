// What listings filter on, and the hash by which an unchanged source is recognised; deletes go by id.
//
// params:
// returns:
CREATE INDEX tool_server IF NOT EXISTS
FOR (tool:Tool)
ON (tool.server);

CREATE INDEX source_content_hash IF NOT EXISTS
FOR (source:Source)
ON (source.content_hash);
