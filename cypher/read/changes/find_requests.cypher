// The requests that were written for the given tools, collected per tool, in no order.
//
// params: ids
// returns: tool, ids, texts, languages, models, moments, bases
UNWIND $ids AS tool_id
MATCH (tool:Tool {id: tool_id})-[:HAS_EXAMPLE]->(example:Example)
RETURN
  tool_id AS tool,
  collect(example.id) AS ids,
  collect(coalesce(example.text, '')) AS texts,
  collect(coalesce(example.language, '')) AS languages,
  collect(coalesce(example.model, '')) AS models,
  collect(coalesce(example.at, '')) AS moments,
  collect(coalesce(example.basis, '')) AS bases
