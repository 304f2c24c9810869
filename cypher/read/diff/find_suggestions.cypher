// The SUGGESTS edges that lead to the given tools, collected per tool, in no order.
//
// params: ids
// returns: tool, methods, confidences
UNWIND $ids AS id
MATCH (tool:Tool {id: id})<-[edge:SUGGESTS]-(method:Method)
RETURN id AS tool, collect(method.id) AS methods, collect(coalesce(edge.confidence, 0.0)) AS confidences
