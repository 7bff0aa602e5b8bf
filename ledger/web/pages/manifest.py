"""What a phone needs to put the pages beside its programs: the club's name, and a picture."""

from __future__ import annotations

from msgspec import json

from ledger.text.site.files import address_of
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import file
from ledger.web.pages.frame import VARY, club_of

_MEDIA = "application/manifest+json"
_ICONS = {
    "icon.svg": ("image/svg+xml", "any"),
    "icon-192.png": ("image/png", "192x192"),
    "icon-512.png": ("image/png", "512x512"),
}
_BAIZE, _PAPER = "#1d4537", "#fbfbf8"


@file("/manifest.webmanifest", "none", media=(_MEDIA,))
async def manifest(request: Request) -> Response:
    """The pages as a program of the phone."""
    club = club_of(request.service)
    told = {
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
    return Response(json.encode(told), media_type=_MEDIA, headers={**VARY, "cache-control": "public, no-cache"})
