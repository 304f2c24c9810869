"""HTTP requests to other people's servers, checked and bounded."""
