"""The club of 0.1.0: what only its files have, and the page that takes it to 0.2.0."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import ROOT
from tests.cli.guide import Reader, commands, settled
from tests.evolution.clubs import CLUB_0_1_0, documents, inside, of_json, ok, points
from tests.history.quick_sandbox import forked_answers, quick_queries  # noqa: F401 - pytest finds them here
from tests.quick_history import quick_history  # noqa: F401 - pytest finds it here

UPGRADE = (ROOT / "docs" / "how-to" / "upgrade.md").read_text(encoding="utf-8")


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Path]:
    """Return the folder of a club of 0.1.0, in which the test runs."""
    with inside(CLUB_0_1_0.unpack(tmp_path / "club")) as folder:
        yield folder


@pytest.mark.usefixtures("club")
def test_every_command_of_the_upgrade_page_prints_what_it_shows() -> None:
    reader, blocks = Reader(), re.findall(r"```console\n(.*?)```", UPGRADE, re.DOTALL)
    assert blocks
    for block in blocks:
        printed = "".join(f"$ {command}\n{reader.type(command)}" for command in commands(block))
        assert [line.rstrip() for line in settled(printed).splitlines()] == settled(block).splitlines()


@pytest.mark.usefixtures("club")
def test_entries_that_0_1_0_does_not_know_are_those_that_the_upgrade_page_leaves_out() -> None:
    """Check the way back: the restored backup takes all other entries, and its tables have the same totals."""
    ok("backup before.ledger")
    ok("open-hands")
    ok("note ombre-4", "written by 0.2.0")
    lines = ok(f"export --bare --after {CLUB_0_1_0.entries}").splitlines()
    known = [line for line in lines if '"hands_opened"' not in line]
    assert (len(lines), len(known)) == (3, 1)
    ok("restore before.ledger back.ledger")
    ok("--ledger back.ledger import -", stdin="\n".join(known))
    assert scores("--ledger back.ledger score --all") == scores("score --all")


@pytest.mark.usefixtures("club")
def test_the_read_model_takes_in_what_is_recorded_now() -> None:
    before = points()
    ok("ruling ombre-4 adjust fine --deal 2 --rule OMB-6.5 --by director --deltas 3,-3,0")
    now = points()
    assert [now[name] - before[name] for name in ("p05 in ombre", "p06 in ombre")] == [3, -3]
    assert of_json("stats standings")["position"] == CLUB_0_1_0.entries + 1


@pytest.mark.usefixtures("club")
def test_the_anonymous_export_has_the_same_points() -> None:
    ok("--ledger research.ledger init")
    ok("--ledger research.ledger import anonymous.ndjson")
    rows = of_json("--ledger research.ledger stats standings")["rows"]
    assert sorted(row["points"] for row in rows) == sorted(points().values())


@pytest.mark.usefixtures("club")
def test_hand_records_and_bare_events_are_recorded_as_they_were() -> None:
    """Compare typed records with the tables as first written, without corrections and rulings."""
    records = sorted(Path("records").glob("*.toml"), key=lambda path: path.stem != "ombre-1")  # it opens the session
    ok("--ledger typed.ledger init")
    ok("--ledger typed.ledger import", *map(str, records), "remarks.ndjson", "thursday.ndjson")
    again = {table["table"]: table["totals"] for table in scores("--ledger typed.ledger score --all")}
    assert again == {table["table"]: table["totals"] for table in scores("score --all --without-rulings --as-recorded")}


def scores(words: str) -> list[Any]:
    return documents(".ndjson", ok(f"{words} --format json"))
