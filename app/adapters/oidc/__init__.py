"""Access tokens of an OpenID issuer, checked with the keys that it publishes."""
