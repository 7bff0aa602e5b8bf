"""Files that pages load, the service worker, and the manifest.

Starlette would read static files from disk for each request, with other headers; ours are compressed in memory, at
addresses that change with their contents.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from msgspec import json

from ledger.text.site.files import RECORDER_STYLES, ROOT, STYLES, address_of, modules, site_files, version
from ledger.web.http.problems import web_error
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import file
from ledger.web.pages.frame import VARY, club_of, takes_gzip

_FOREVER: Final = "public, max-age=31536000, immutable"
_TODAY: Final = "public, no-cache"
"""The caching of files under an address of another version: the current file is sent and revalidated."""

_OF_ALL: Final = {"vary": "Accept-Encoding", "content-security-policy": "default-src 'none'"}
"""The headers of all files; opened by itself a file loads nothing. A page has twenty files, so headers are few."""


@file(f"{ROOT}/{{made}}/{{name}}", "none", media=("*/*",))
async def site_file(request: Request, made: str, name: str) -> Response:
    """Return a style sheet, script or picture."""
    static_file = site_files().get(name)
    if static_file is None:
        raise web_error("not_found", "no_route", text=request.path[:200])
    headers = {**_OF_ALL, "cache-control": _FOREVER if made == version() else _TODAY}
    if takes_gzip(request.headers):
        return Response(
            static_file.gzipped, media_type=static_file.media_type, headers={**headers, "content-encoding": "gzip"}
        )
    return Response(static_file.content, media_type=static_file.media_type, headers=headers)


_SCRIPT: Final = "worker.js"
_STARTED_BY: Final = ("recorder.js", "typing.js", "hand_entry.js", "special_acts.js")


@file("/worker.js", "none", media=("*/*",))
async def service_worker(request: Request) -> Response:
    """Return the service worker, which stores the recorder's pages on a device; each version of the program has its
    own.
    """
    headers = {**VARY, "cache-control": "public, no-cache"}
    return Response(_worker(), media_type=site_files()[_SCRIPT].media_type, headers=headers)


@cache
def _worker() -> bytes:
    """Return the script with the addresses of the files that it stores."""
    scripts = dict.fromkeys(name for one in _STARTED_BY for name in modules(one))
    files = [address_of(name) for name in (STYLES, RECORDER_STYLES, "icon.svg", *scripts)]
    cached = json.encode({"name": f"trickledger-files-{version()}", "files": files})
    return b"const KEPT = %b;\n%b" % (cached, site_files()[_SCRIPT].content)


_MEDIA = "application/manifest+json"
_ICONS = {
    "icon.svg": ("image/svg+xml", "any"),
    "icon-192.png": ("image/png", "192x192"),
    "icon-512.png": ("image/png", "512x512"),
}
_BAIZE, _PAPER = "#1d4537", "#fbfbf8"


@file("/manifest.webmanifest", "none", media=(_MEDIA,))
async def manifest(request: Request) -> Response:
    """Return the web app manifest."""
    club = club_of(request.service)
    content = {
        "name": club,
        "short_name": club[:30],
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "lang": request.lang,
        "background_color": _PAPER,
        "theme_color": _BAIZE,
        "icons": [{"src": address_of(name), "type": media, "sizes": sizes} for name, (media, sizes) in _ICONS.items()],
    }
    return Response(json.encode(content), media_type=_MEDIA, headers={**VARY, "cache-control": "public, no-cache"})
