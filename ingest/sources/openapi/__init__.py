"""OpenAPI and Swagger documents: operations."""
