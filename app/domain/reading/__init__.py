"""How a goal is read: what it asks for, on which condition, with which values, and what it forbids."""
