"""The pages of docs/ that are generated from the code: `python -m docs.generate`, or `make docs`."""
