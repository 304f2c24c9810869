// A generator has two labels. The engine keeps ids unique over both only when it knows the pair before the constraint
// is made, so one such node comes and goes.
//
// params:
// returns:
CREATE (node:Tool:Generator {id: ''})
DELETE node;
