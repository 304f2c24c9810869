"""What methods of the common taxonomy suggest: tools that seem to carry them out."""
