"""The graph database over Bolt: connection, statements, and what is read and written with them."""
