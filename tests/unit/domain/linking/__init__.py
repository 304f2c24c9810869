"""Which methods tools seem to carry out."""
