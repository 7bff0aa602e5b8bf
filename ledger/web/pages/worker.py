"""The service worker: it stands at the root, because it may keep pages of its own folder alone."""

from __future__ import annotations

from functools import cache
from typing import Final

from msgspec import json

from ledger.text.site.files import STYLES, address_of, modules, site_files, version
from ledger.web.http.request import Asked
from ledger.web.http.routing import Answer, file
from ledger.web.pages.frame import VARY

_SCRIPT: Final = "worker.js"
_STARTED_BY: Final = ("recorder.js", "typing.js", "dealing.js", "beside.js")


@file("/worker.js", "none", media=("*/*",))
async def service_worker(asked: Asked) -> Answer:
    """What keeps the recorder's pages on a device; a new version of the program has a new one."""
    headers = {**VARY, "cache-control": "public, no-cache"}
    return Answer(body=_worker(), media_type=site_files()[_SCRIPT].media_type, headers=headers)


@cache
def _worker() -> bytes:
    """The script with what it keeps: the files of the recorder's pages by their addresses."""
    scripts = dict.fromkeys(name for one in _STARTED_BY for name in modules(one))
    files = [address_of(name) for name in (STYLES, "icon.svg", *scripts)]
    kept = json.encode({"name": f"trickledger-files-{version()}", "files": files})
    return b"const KEPT = %b;\n%b" % (kept, site_files()[_SCRIPT].content)
