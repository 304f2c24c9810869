"""The rankings that are measured, each behind one protocol."""
