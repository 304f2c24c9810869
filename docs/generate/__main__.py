"""Write the generated pages."""

from docs.generate.pages import pages

for path, text in pages().items():
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path)
