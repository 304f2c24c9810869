// The requests that were written for tools, collected per tool, in no order.
//
// params:
// returns: tool, ids, texts, languages, models, moments, bases
MATCH (example:Example)<-[:HAS_EXAMPLE]-(tool:Tool)
RETURN
  tool.id AS tool,
  collect(example.id) AS ids,
  collect(coalesce(example.text, '')) AS texts,
  collect(coalesce(example.language, '')) AS languages,
  collect(coalesce(example.model, '')) AS models,
  collect(coalesce(example.at, '')) AS moments,
  collect(coalesce(example.basis, '')) AS bases
