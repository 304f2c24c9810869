"""What the service has open while it runs, and how its requests wait: the same for REST and MCP."""
