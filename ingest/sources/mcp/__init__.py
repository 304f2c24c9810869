"""Tools of MCP servers, live or from files."""
