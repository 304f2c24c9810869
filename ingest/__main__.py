"""`python -m ingest` is `outfitter ingest`."""

from ingest.commands.cli import main

if __name__ == "__main__":
    main()
