// What listings filter on or are ordered by, and the hash by which an unchanged source is recognised; deletes go by id.
//
// params:
// returns:
CREATE INDEX tool_server IF NOT EXISTS
FOR (tool:Tool)
ON (tool.server);

CREATE INDEX source_content_hash IF NOT EXISTS
FOR (source:Source)
ON (source.content_hash);

CREATE INDEX sync_at IF NOT EXISTS
FOR (sync:Sync)
ON (sync.at);

CREATE INDEX unmet_last_at IF NOT EXISTS
FOR (unmet:Unmet)
ON (unmet.last_at);

CREATE INDEX review_source IF NOT EXISTS
FOR (review:Review)
ON (review.source);
