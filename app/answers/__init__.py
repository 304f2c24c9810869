"""What every interface gives, declared once: built by the use cases, sent as JSON, described by the OpenAPI page."""
