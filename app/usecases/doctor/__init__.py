"""Which tools cannot be found, why, and what another description would change."""
