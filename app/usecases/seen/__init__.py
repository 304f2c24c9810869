"""Everything that answers come from, as one caller sees it: what is hidden cannot be reached from here."""
