"""The user's words, laid over those of the service before anything is read with them."""

import tomllib

from app.errors import InvalidInputError
from app.lexicon.lists import lay_over
from app.roots.graph import read_settings


def use_lexicon() -> None:
    """Take the words of the file that OUTFITTER_LEXICON names; nothing without one.

    Raises:
        InvalidInputError: the file cannot be read, or holds what is not accepted; the message names file and key.
    """
    path = read_settings().lexicon
    if path is None:
        return
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidInputError(
            f"OUTFITTER_LEXICON = {str(path)!r}: {error.strerror}; accepted: the path of a TOML file"
        ) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InvalidInputError(f"lexicon {path}: {error}; accepted: TOML 1.0 in UTF-8") from error
    lay_over(document, origin=str(path))
