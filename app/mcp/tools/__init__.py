"""One module per tool of the MCP server."""
