"""Kept snapshots as files that several processes map."""
