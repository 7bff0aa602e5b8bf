"""The command `plot`: its files have the format of their names, and are made without a browser or the network."""

import json
import socket
import struct
import sys
import zlib
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from ledger import extras
from ledger.log import SqliteStore
from ledger.plots.figures import plots
from tests.cli.commands import CommandLine
from tests.covering import sample
from tests.history.helpers import NAMES, record, table_events

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</script><script>alert(1)</script>"


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """Make a ledger of simulated tables, with 鈴木 and a player whose name would end a script."""
    cli = CommandLine(tmp_path_factory.mktemp("club"))
    cli.ok("init")
    with SqliteStore(cli.ledger) as store:
        for number in range(3):
            played = table_events(f"t{number}", 5, names=(HOSTILE, *NAMES[4:]), session="spring", seed=number)
            record(store, f"table/t{number}", *played)
    return cli


def texts(svg: bytes) -> list[str]:
    return ["".join(element.itertext()) for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("name", ["year", *sample(sorted(plots().keys() - {"year"}), 1)])
def test_every_plot_is_written_as_svg_with_its_words_as_text(club: CommandLine, name: str) -> None:
    path = club.folder / f"{name}.svg"
    whose = ("--player", NAMES[-1]) if name == "year" else ()
    assert str(path) in club.ok("plot", name, *whose, "-o", path, lang="ja")
    shown = " ".join(texts(path.read_bytes()))
    assert ("以降" if whose else "全ディール") in shown and "台帳の記録" in shown
    if "player" in plots()[name].columns and name != "contracts":
        assert '鈴木 "☂"' in shown and "Ève" in shown


def test_a_png_is_a_picture_with_ink_on_it(club: CommandLine) -> None:
    path = club.folder / "plot.png"
    club.ok("plot", "cumulative", "-o", path, lang="ja")
    content = path.read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", content[16:24])
    assert width > 1000 and height > 600
    assert len(content) > 20_000 and len(zlib.compress(content)) > 20_000


def test_a_players_year_is_one_page_of_a4_with_its_font(club: CommandLine) -> None:
    path = club.folder / "year.pdf"
    club.ok("plot", "year", "--player", "Ève", "-o", path)
    content = path.read_bytes()
    assert content.startswith(b"%PDF-") and content.count(b"/MediaBox") == 1
    assert b"/MediaBox [0 0 595.28 841.89]" in content and b"/FontFile" in content


class _Addresses(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.urls: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.urls += [value for key, value in attrs if key in ("src", "href", "data", "action") and value]


@pytest.fixture(scope="module")
def page(club: CommandLine) -> str:
    """Write a page without a network."""

    def refused(*_: object, **__: object) -> None:
        raise OSError("no network here")

    path = club.folder / "plot.html"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", refused)
        for name in ("create_connection", "getaddrinfo"):
            patch.setattr(socket, name, refused)
        club.ok("plot", "standings", "-o", path)
    return path.read_text(encoding="utf-8")


def test_a_page_holds_all_that_it_needs_and_nothing_is_fetched(page: str) -> None:
    addresses = _Addresses()
    addresses.feed(page)
    assert addresses.urls == []
    assert "@import" not in page.split("<script", maxsplit=1)[0]
    assert len(page) > 500_000 and '鈴木 \\"☂\\"' in page  # Vega-Lite itself and the data


def test_a_name_ends_no_script_of_a_page(page: str) -> None:
    assert "script>alert(1)" in page.replace("\\u003c", "<")
    assert "<script>alert(1)" not in page


def test_the_specification_is_printed_or_written(club: CommandLine) -> None:
    printed = json.loads(club.ok("plot", "cumulative", "--format", "json"))
    assert printed["$schema"].startswith("https://vega.github.io/schema/vega-lite/")
    path = club.folder / "plot.json"
    club.ok("plot", "cumulative", "-o", path)
    assert json.loads(path.read_text(encoding="utf-8")) == printed


def test_a_filter_that_leaves_nothing_writes_no_file(club: CommandLine) -> None:
    path = club.folder / "nothing.svg"
    message = club.ok("plot", "cumulative", "--until", "1900-01-01", "-o", path)
    assert message.startswith("Nothing to draw: there is no complete deal among the chosen deals (until 1900-01-01).")
    assert not path.exists()


def test_the_list_names_every_plot(club: CommandLine) -> None:
    assert [line.split()[0] for line in club.ok("plot", "--list").splitlines()] == list(plots())
    assert [one["name"] for one in club.json("plot", "--list")] == list(plots())


def test_a_missing_package_is_named_with_how_to_install_it(club: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    monkeypatch.setattr(extras, "this_installation", extras.Installation)
    message = "this needs the package altair, which is not installed: pip install 'trickledger[plots]'"
    assert message in club.refused(2, "plot", "cumulative", "-o", "x.svg")
    monkeypatch.setattr(
        extras, "import_module", lambda name: (_ for _ in ()).throw(OSError("cannot load library 'pango'"))
    )
    assert "did not find: cannot load library 'pango'" in club.run("plot", "cumulative", "-o", "x.svg").stderr
