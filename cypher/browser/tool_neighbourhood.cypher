// Neighbourhood of a tool
// Everything one step away from a tool, without the source that brought it. At most 200 edges, so that a tool
// that everybody uses can still be drawn. An unknown tool gives no row.
// Before the first run: :param tool_id => 'orders/get_order'
//
// params: tool_id
// returns: tool, path
MATCH (tool:Tool {id: $tool_id})
OPTIONAL MATCH path = (tool)-[]-(neighbour)
WHERE NOT neighbour:Source
RETURN tool, path
LIMIT 200
