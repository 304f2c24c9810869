"""The rankings over an index, and the reasons for what they gave."""
