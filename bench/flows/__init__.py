"""How well the check of a plan's flows tells attacked runs from harmless ones."""
