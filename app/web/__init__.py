"""The HTML face, beside `app.api`: a request in, a use case called, a page out. The browser holds no rule."""
