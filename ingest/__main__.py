"""`python -m ingest` is `outfitter ingest`."""

from ingest.cli import main

if __name__ == "__main__":
    main()
