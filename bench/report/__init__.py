"""`outfitter bench report`: chapters, plots, and the comparison of two reports."""
