"""What a phone needs to put the pages beside its programs: the club's name, and a picture."""

from __future__ import annotations

from msgspec import json

from ledger.text.site.files import address_of
from ledger.web.http.request import Asked
from ledger.web.http.routing import Answer, file
from ledger.web.pages.frame import VARY, club_of

_MEDIA = "application/manifest+json"
_ICONS = {
    "icon.svg": ("image/svg+xml", "any"),
    "icon-192.png": ("image/png", "192x192"),
    "icon-512.png": ("image/png", "512x512"),
}
_BAIZE, _PAPER = "#1d4537", "#fbfbf8"


@file("/manifest.webmanifest", "none", media=(_MEDIA,))
async def manifest(asked: Asked) -> Answer:
    """The pages as a program of the phone."""
    club = club_of(asked.service)
    told = {
        "name": club,
        "short_name": club[:30],
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "lang": asked.lang,
        "background_color": _PAPER,
        "theme_color": _BAIZE,
        "icons": [{"src": address_of(name), "type": media, "sizes": sizes} for name, (media, sizes) in _ICONS.items()],
    }
    return Answer(body=json.encode(told), media_type=_MEDIA, headers={**VARY, "cache-control": "public, no-cache"})
