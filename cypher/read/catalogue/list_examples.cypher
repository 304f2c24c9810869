// Every Example, without its edges, in no order.
//
// params:
// returns: id, text
MATCH (example:Example)
RETURN
  example.id AS id,
  coalesce(example.text, '') AS text
