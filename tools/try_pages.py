"""Check that a service's pages are complete: `python -P tools/try_pages.py PROGRAM`, where only that program is
installed.

It serves the demonstration from an empty folder, opens a page of each kind in both languages, and loads every file that
a page or a script names. Used by `make test-wheel`: in a checkout, a file that the wheel lacks would still be there.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from urllib.parse import urljoin
from urllib.request import Request, urlopen

_PAGES: Final = (
    "/", "/sign-in", "/table-cards", "/tables", "/rules", "/rules/kop", "/settings", "/problems/busy",
    "/t/rape-of-the-lock", "/t/rape-of-the-lock/1/34", "/embed/rape-of-the-lock/1/34",
    "/record", "/record/new?game=kop", "/record/rape-of-the-lock",
)  # fmt: skip
_PICTURE: Final = "/api/v1/tables/rape-of-the-lock/deals/1/steps/34"
_LINKED_FILES: Final = ("/worker.js", f"{_PICTURE}.svg", f"{_PICTURE}.png")
_LOADED: Final = re.compile(r'(?:href|src)="(/files/[^"]+|/manifest\.webmanifest)"')
_IMPORTED: Final = re.compile(r'from "(\./[^"]+)"')
_WAIT_S: Final = 60


def main() -> None:
    """Load all pages and their files from the served demonstration, and print how many there are."""
    with tempfile.TemporaryDirectory() as folder, _served(sys.argv[1], folder) as url:
        loaded = {address for page in _PAGES for lang in ("en", "ja") for address in _loaded_by(url + page, lang)}
        todo = [*sorted(loaded), *(url + one for one in _LINKED_FILES)]
        for address in todo:
            todo += sorted(set(_imported_by(address)) - set(todo))
    kinds = sorted({address.rpartition(".")[2] for address in todo})
    assert {"css", "js", "png", "svg", "webmanifest"} <= set(kinds), kinds
    print(f"{len(_PAGES)} pages and {len(todo)} files that they load: {', '.join(kinds)}")


@contextmanager
def _served(trickledger: str, folder: str) -> Iterator[str]:
    command = [trickledger, "serve", "--demo", "--port", "0"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        said = []
        try:
            for line in process.stdout:
                said.append(line)
                if (links := re.search(r"http://[0-9.:]+", line)) is not None:
                    break
            else:
                raise SystemExit("".join(said))
            yield links[0]
        finally:
            process.terminate()


def _loaded_by(address: str, lang: str) -> Iterator[str]:
    text = _read(address, lang).decode()
    assert f'<html lang="{lang}"' in text and "</html>" in text, f"{address} is not whole in {lang}"
    return (urljoin(address, one) for one in _LOADED.findall(text))


def _imported_by(address: str) -> Iterator[str]:
    content = _read(address)
    assert content, f"{address} is empty"
    if not address.endswith(".js"):
        return iter(())
    return (urljoin(address, one) for one in _IMPORTED.findall(content.decode()))


def _read(address: str, lang: str = "en") -> bytes:
    """Return the content at an address. Raise `HTTPError` if the status is not a success."""
    with urlopen(
        Request(address, headers={"Accept": "text/html, */*;q=0.5", "Accept-Language": lang}), timeout=_WAIT_S
    ) as answer:
        content: bytes = answer.read()
        return content


if __name__ == "__main__":
    main()
