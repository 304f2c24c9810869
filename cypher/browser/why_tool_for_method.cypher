// Why a tool was found for a method
// Every way by which a method lends its score to a tool: it is implemented by the tool, a stated neighbour is,
// a template uses both, or it is of the common taxonomy and suggests the tool, with the confidence on the edge.
// No row: the graph gives this method no reason for this tool.
// Before the first run: :param method_id => 'shipping.track' and :param tool_id => 'orders/get_order'
//
// params: method_id, tool_id
// returns: why, path
MATCH path = (:Method {id: $method_id})-[:IMPLEMENTS]->(:Tool {id: $tool_id})
RETURN 'implements' AS why, path
UNION ALL
MATCH path = (:Method {id: $method_id})-[:ENHANCES]->(:Method)-[:IMPLEMENTS]->(:Tool {id: $tool_id})
RETURN 'enhances a method that it implements' AS why, path
UNION ALL
MATCH path = (:Method {id: $method_id})-[:SIMILAR {reason: 'taxonomy'}]->(:Method)-[:IMPLEMENTS]->(:Tool {id: $tool_id})
RETURN 'similar to a method that it implements' AS why, path
UNION ALL
MATCH path = (:Method {id: $method_id})<-[:USES]-(:Template)-[:USES]->(:Tool {id: $tool_id})
RETURN 'a template uses both' AS why, path
UNION ALL
MATCH path = (:Method {id: $method_id})-[:SUGGESTS]->(:Tool {id: $tool_id})
RETURN 'suggests' AS why, path
