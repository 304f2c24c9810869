"""Every statement that the service sends to a database, as package data; the rules are in README.md."""
