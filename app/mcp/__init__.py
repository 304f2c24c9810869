"""The MCP face: tools described, called, and watched for changes."""
