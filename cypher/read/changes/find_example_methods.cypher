// The methods that have one of the given examples, each once, in no order.
//
// params: ids
// returns: id
UNWIND $ids AS example
MATCH (:Example {id: example})<-[:HAS_EXAMPLE]-(method:Method)
RETURN DISTINCT method.id AS id
