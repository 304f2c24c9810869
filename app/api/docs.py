"""GET /docs: the service's own OpenAPI document as a page. It loads nothing from elsewhere, for a token is typed there.

The page is Swagger UI. Its two files are in a wheel of PyPI and are served only if they are, byte by byte, those that
SmartBear publishes as `swagger-ui-dist`; the code of that wheel is not run.
"""

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Final

from fastapi import APIRouter, Response

from app.errors import NotFoundError

VERSION: Final = "5.34.0"
PAGE: Final = "/docs"
_WHEEL: Final = "fastapi-swagger"
_STORED: Final = "public, max-age=86400"
"""A day, for what has its version in its address."""
_MAY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        # Swagger UI draws its signs with images that stand in its style sheet.
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)

_HTML: Final = f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Outfitter</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css?{VERSION}">
</head>
<body>
<div id="page"></div>
<script src="docs/swagger-ui-bundle.js?{VERSION}"></script>
<script src="docs/page.js?{VERSION}"></script>
</body>
</html>
"""

# Without a validator's address Swagger UI would send that of the document to a service of its makers.
_SCRIPT: Final = """SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#page",
  deepLinking: true,
  persistAuthorization: false,
  validatorUrl: null,
});
"""


@dataclass(frozen=True, slots=True)
class PageFile:
    """A file of the wheel."""

    name: str
    media_type: str
    sha256: str


SCRIPT = PageFile(
    "swagger-ui-bundle.js",
    "text/javascript",
    "3f6abf70480db7e07914df4c98a77385f22ea585eaf457a3e6415ba0eae2d167",
)
STYLE = PageFile(
    "swagger-ui.css", "text/css", "c3cfe8248c4b0b89673600fb829924eafbac6de4bc4b2b06f5f5243483074d0a"
)
PATHS: Final = frozenset({PAGE, f"{PAGE}/page.js", *(f"{PAGE}/{file.name}" for file in (SCRIPT, STYLE))})
"""What the page consists of."""

router = APIRouter(prefix=PAGE, include_in_schema=False)


@router.get("")
async def page() -> Response:
    """The page."""
    return Response(_HTML, media_type="text/html", headers={"Content-Security-Policy": _MAY})


@router.get("/page.js")
async def page_script() -> Response:
    """What starts Swagger UI: a file, since scripts within the page may not run."""
    return Response(_SCRIPT, media_type="text/javascript", headers={"Cache-Control": _STORED})


# These are read from disk, so they are no coroutines.
@router.get(f"/{SCRIPT.name}")
def swagger_script() -> Response:
    """Swagger UI."""
    return _answer(SCRIPT)


@router.get(f"/{STYLE.name}")
def swagger_style() -> Response:
    """Its styles."""
    return _answer(STYLE)


@cache
def content_of(file: PageFile) -> bytes:
    """The file, which is what it was when its hash was written down.

    Raises:
        NotFoundError: the wheel is not installed, or another version of it.
    """
    try:
        path = Path(str(distribution(_WHEEL).locate_file(f"fastapi_swagger/resources/{file.name}")))
        content = path.read_bytes()
    except (PackageNotFoundError, OSError):
        content = b""
    if sha256(content).hexdigest() != file.sha256:
        raise NotFoundError(
            f"{file.name} of the package {_WHEEL!r} is not there, or not that of Swagger UI {VERSION}; accepted: the"
            " version that outfitter is installed with. /openapi.json describes the same"
        )
    return content


def _answer(file: PageFile) -> Response:
    return Response(content_of(file), media_type=file.media_type, headers={"Cache-Control": _STORED})
