// Whether the database answers.
//
// params:
// returns: answer
RETURN 1 AS answer
