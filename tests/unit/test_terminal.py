from io import StringIO

from app.terminal import open_console


def test_texts_are_shown_as_they_are():
    """`:man:` between two colons is the name of an emoji, and also how an id of a source may go on."""
    console = open_console()
    console.file = StringIO()

    console.print("manifest:man: tool")

    assert console.file.getvalue() == "manifest:man: tool\n"
