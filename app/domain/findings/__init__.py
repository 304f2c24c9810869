"""Signs that a definition wants to steer whoever reads it. They order a queue for people, and open no gate."""
