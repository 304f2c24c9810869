// All REQUIRES edges between tools, stated and inferred, collected per consumer, in no order.
//
// params:
// returns: consumer, producers, parameters, optionals, fields, confidences, evidences, ranks
MATCH (consumer:Tool)-[edge:REQUIRES]->(producer:Tool)
RETURN
  consumer.id AS consumer,
  collect(producer.id) AS producers,
  collect(coalesce(edge.parameter, '')) AS parameters,
  collect(coalesce(edge.optional, false)) AS optionals,
  collect(coalesce(edge.field, '')) AS fields,
  collect(coalesce(edge.confidence, 1.0)) AS confidences,
  collect(coalesce(edge.evidence, '')) AS evidences,
  collect(coalesce(edge.rank, 1)) AS ranks
