"""Which methods of the common taxonomy a tool carries out, inferred from what both say of themselves."""
