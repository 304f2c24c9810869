"""MCP servers as clients see them: connections, sessions, both transports."""
