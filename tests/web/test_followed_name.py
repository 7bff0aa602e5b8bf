"""A name is followed everywhere it could be: people read it until it is erased, and then it is nowhere.

The person plays, records, disputes and rules, on the command line and at a running service.
"""

import json
import os
import re
import urllib.request
from http.client import HTTPResponse
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from ledger.access.base import NewCode
from ledger.access.stores import open_access
from tests.cli.commands import REVOKE, CommandLine
from tests.patience import PATIENCE_S
from tests.web.served import Running, running

NAME = "Wisławka"
FORMS = [
    form.casefold().encode()
    for form in (NAME, json.dumps(NAME)[1:-1], quote(NAME), NAME.encode("ascii", "xmlcharrefreplace").decode())
]
TABLE, OPENED, STARTED = "ombre-revoke", "0193a000-0000-7000-8000-000000000001", "0193a000-0000-7000-8000-000000000002"
FOR_PEOPLE = (
    f"/t/{TABLE}/1", f"/t/{TABLE}/1/24", f"/t/{TABLE}/disputes/39", f"/t/{TABLE}/1/ruling", f"/t/{TABLE}/1/entries",
    f"/record/{TABLE}", f"/record/{TABLE}/deal", "/record/u", "/record/u/deal", "/desk", "/names", "/players",
    "/tables", "/statistics/standings", "/sign-in",
)  # fmt: skip
FOR_PROGRAMS = (
    "/tables", f"/tables/{TABLE}", f"/tables/{TABLE}/score", f"/tables/{TABLE}/audit", f"/tables/{TABLE}/disputes",
    f"/tables/{TABLE}/disputes/39/case", f"/tables/{TABLE}/deals/1/steps", "/streams/table/u/entries", "/export", "/me",
    "/statistics/standings", "/tokens",
)  # fmt: skip
TYPED = (("score", TABLE), ("replay", TABLE, "--deal", 1), ("audit", TABLE), ("tables",), ("dispute", TABLE),
         ("dispute", TABLE, "--case-sheet", 39), ("stats", "standings"))  # fmt: skip


def has_name(content: bytes | str) -> bool:
    text = content if isinstance(content, str) else content.decode("utf-8", "replace")
    return any(form in text.casefold().encode() for form in FORMS)


def files_with_name(folder: Path) -> set[str]:
    """Return the files with the name: in the ledger's folder, and where programs keep files of their own."""
    paths = [Path(parent, file) for parent, _, files in os.walk(folder) for file in files]
    return {path.name for path in paths if "typed" not in path.parts and (has_name(path.name) or _holds_name(path))}


def _holds_name(path: Path) -> bool:
    try:
        return has_name(path.read_bytes())
    except FileNotFoundError:  # a draft of the service
        return False


class Unredirected(urllib.request.HTTPErrorProcessor):
    def http_response(self, request: urllib.request.Request, response: HTTPResponse) -> HTTPResponse:
        return response

    https_response = http_response


class Visitor:
    """A browser that signed in with the code of table `u` and the name."""

    def __init__(self, service: Running) -> None:
        self.service = service
        with open_access(service.ledger) as access:
            new = NewCode(tables=("u",), role="recorder", until="2099-01-01T00:00:00.000000Z", may_open=True)
            code = access.add_code(new).secret
        form = urlencode({"code": code, "name": NAME}).encode()
        request = urllib.request.Request(f"{service.address}/sign-in", form, {"origin": service.address})
        with urllib.request.build_opener(Unredirected).open(request, timeout=PATIENCE_S) as answer:
            self.cookie = answer.headers["set-cookie"].partition(";")[0]
        self.csrf = service.ask("GET", "/me", cookie=self.cookie)["csrf"]

    def page(self, path: str) -> bytes:
        """Return a page: those of the table and of the sign-in in this browser, others at the machine itself."""
        cookie = self.cookie if path.startswith(("/record/u", "/sign-in")) else ""
        request = urllib.request.Request(self.service.address + path, headers={"accept": "text/html", "cookie": cookie})
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            content: bytes = answer.read()
            return content

    def post(self, path: str, body: dict[str, Any]) -> bytes:
        fields = {"cookie": self.cookie, "origin": self.service.address, "x-csrf-token": self.csrf}
        return json.dumps(self.service.ask("POST", path, body, **fields), ensure_ascii=False).encode()


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """Return a ledger with handles, whose programs write into folders of this test alone."""
    for variable in ("HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        (tmp_path / variable).mkdir()
        monkeypatch.setenv(variable, str(tmp_path / variable))
    typed, folder = tmp_path / "typed" / "revoke.toml", tmp_path / "club"
    typed.parent.mkdir()
    folder.mkdir()
    record = re.sub(r"Baron(?= =)", f'"{NAME}"', REVOKE.read_text(encoding="utf-8"))
    typed.write_text(record.replace("Baron", NAME), encoding="utf-8")
    club = CommandLine(folder)
    club.ok("init", "--handles")
    club.ok("import", typed, "--by", NAME)
    club.ok("dispute", TABLE, "a diamond", "--deal", 1, "--step", 24, "--player", NAME, "--by", NAME)
    deltas = f"{NAME.upper()} +10, Belinda -10"
    club.ok("ruling", TABLE, "adjust", "a fine", "--deal", 1, "--deltas", deltas, "--dispute", 39, "--by", NAME)
    club.ok("correct", TABLE, "replace", "S2", "--deal", 1, "--step", 24, "--reason", "misread", "--by", NAME)
    club.ok("correct", TABLE, "restore", "--deal", 1, "--step", 24, "--reason", "misread", "--by", NAME)
    club.ok("session", "open", "friday", "--title", "Friday", "--by", NAME)
    opened = {"type": "table_opened", "game": "ombre", "players": ["Belinda", "Cyd", "Dan"], "session": "friday"}
    club.ok("import", "-", "--by", NAME, stdin=json.dumps({"stream": "table/w", "event": opened}).encode())
    club.ok("seat", "w", "Dan", NAME.lower())
    return club


def test_a_name_is_read_by_people_until_it_is_erased_and_then_is_nowhere(club: CommandLine, tmp_path: Path) -> None:
    printed = {"report.html"}
    for words in TYPED:
        assert has_name(club.run(*words).stdout), words
        assert not has_name(club.run(*words, "--format", "json").stdout), words
    assert has_name(club.ok("stats", "standings", "--player", NAME))
    for words in (("export",), ("export", "--as", "hand-record", TABLE), ("query", "SELECT * FROM deals")):
        assert not has_name(club.ok(*words)), words
    club.ok("report", "friday", "-o", club.folder / "report.html")
    if find_spec("altair"):
        printed.add("plot.svg")
        club.ok("plot", "cumulative", "-o", club.folder / "plot.svg")
    club.ok("rebuild", "--to", club.folder / "lake")
    club.ok("backup")
    (backup,) = club.folder.glob("club-*.ledger")
    handle = next(row["player"] for row in club.json("players") if row["name"] == NAME)
    with running(club.ledger) as service:
        visitor = Visitor(service)
        opened = {"type": "table_opened", "game": "ombre", "players": ["Belinda", "Cyd", NAME]}
        assert not has_name(visitor.post("/tables", {"slug": "u", "event": opened, "id": OPENED}))
        started = {"event": {"type": "deal_started", "deal": 1, "dealer": 0}, "id": STARTED}
        assert not has_name(visitor.post("/streams/table/u/entries", {"entries": [started]}))
        line = json.dumps({"stream": "table/v", "event": {**opened, "players": ["Eve", NAME, "Cyd"]}})
        assert service.ask("POST", "/import", line, **{"Content-Type": "application/x-ndjson"})["tables"] == 1
        assert service.ask("GET", "/me", cookie=visitor.cookie)["name"] == handle
        for_people = (*FOR_PEOPLE, f"/names/{handle}")
        assert [path for path in for_people if not has_name(visitor.page(path))] == []
        for path in FOR_PROGRAMS:
            answer = service.ask("GET", path)
            assert not has_name(answer if isinstance(answer, bytes) else json.dumps(answer)), path
        wal = f"{club.ledger.name}-wal"
        assert files_with_name(tmp_path) == {club.ledger.name, wal, backup.name, "manifest.json", *printed}
        service.ask("DELETE", f"/players/{handle}/name")
        assert [path for path in for_people if has_name(visitor.page(path))] == []
        assert files_with_name(tmp_path) == {backup.name, "manifest.json", *printed}
    for words in TYPED:
        assert not has_name(club.run(*words).output), words
    assert backup.name in club.ok("doctor")
    backup.unlink()
    club.ok("rebuild", "--to", club.folder / "lake")
    assert backup.name not in club.ok("doctor")
    assert files_with_name(tmp_path) == printed
    assert "Undamaged" in club.ok("verify")
