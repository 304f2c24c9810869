"""A language model that does tasks with the tools that the MCP server finds for it."""
