"""The files that pages load; a browser keeps them until the program changes."""

from __future__ import annotations

from typing import Final

from ledger.text.site.files import ROOT, site_files, version
from ledger.web.http.problems import web_error
from ledger.web.http.request import Asked
from ledger.web.http.routing import Answer, file
from ledger.web.pages.frame import takes_gzip

_FOREVER: Final = "public, max-age=31536000, immutable"
_TODAY: Final = "public, no-cache"
"""For a page of a program that was another one: it finds what there is now."""

_OF_ALL: Final = {"vary": "Accept-Encoding", "content-security-policy": "default-src 'none'"}
"""The same for everybody; opened by itself a file loads nothing. A page has twenty of them: each word of it counts."""


@file(f"{ROOT}/{{made}}/{{name}}", "none", media=("*/*",))
async def site_file(asked: Asked, made: str, name: str) -> Answer:
    """A style sheet, a script or a picture of the pages."""
    found = site_files().get(name)
    if found is None:
        raise web_error("not_found", "no_route", text=asked.path[:200])
    headers = {**_OF_ALL, "cache-control": _FOREVER if made == version() else _TODAY}
    if takes_gzip(asked.headers):
        return Answer(body=found.packed, media_type=found.media_type, headers={**headers, "content-encoding": "gzip"})
    return Answer(body=found.content, media_type=found.media_type, headers=headers)
