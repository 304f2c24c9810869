// Every label has a unique id; the constraint is also the index that finds it.
// Statements end with a semicolon at the end of a line.
//
// params:
// returns:
CREATE CONSTRAINT tool_id IF NOT EXISTS
FOR (node:Tool)
REQUIRE node.id IS UNIQUE;

CREATE CONSTRAINT generator_id IF NOT EXISTS
FOR (node:Generator)
REQUIRE node.id IS UNIQUE;

CREATE CONSTRAINT method_id IF NOT EXISTS
FOR (node:Method)
REQUIRE node.id IS UNIQUE;

CREATE CONSTRAINT category_id IF NOT EXISTS
FOR (node:Category)
REQUIRE node.id IS UNIQUE;

CREATE CONSTRAINT concept_id IF NOT EXISTS
FOR (node:Concept)
REQUIRE node.id IS UNIQUE;

CREATE CONSTRAINT template_id IF NOT EXISTS
FOR (node:Template)
REQUIRE node.id IS UNIQUE;

CREATE CONSTRAINT example_id IF NOT EXISTS
FOR (node:Example)
REQUIRE node.id IS UNIQUE;

CREATE CONSTRAINT workflow_id IF NOT EXISTS
FOR (node:Workflow)
REQUIRE node.id IS UNIQUE;

CREATE CONSTRAINT source_id IF NOT EXISTS
FOR (node:Source)
REQUIRE node.id IS UNIQUE;

CREATE CONSTRAINT catalog_id IF NOT EXISTS
FOR (node:Catalog)
REQUIRE node.id IS UNIQUE;

CREATE CONSTRAINT sync_id IF NOT EXISTS
FOR (node:Sync)
REQUIRE node.id IS UNIQUE;

CREATE CONSTRAINT generation_id IF NOT EXISTS
FOR (node:Generation)
REQUIRE node.id IS UNIQUE;

CREATE CONSTRAINT unmet_id IF NOT EXISTS
FOR (node:Unmet)
REQUIRE node.id IS UNIQUE;

CREATE CONSTRAINT review_id IF NOT EXISTS
FOR (node:Review)
REQUIRE node.id IS UNIQUE;
