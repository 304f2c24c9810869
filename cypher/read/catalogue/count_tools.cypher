// How many tools there are, generators included, always one row. Both engines keep this number.
//
// params:
// returns: tools
MATCH (tool:Tool)
RETURN count(tool) AS tools
