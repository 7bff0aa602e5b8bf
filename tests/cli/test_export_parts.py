"""`export` of a part: the entries between two positions, and one deal as a hand record."""

from __future__ import annotations

import pytest

from tests.cli.commands import ROOT, CommandLine


@pytest.mark.parametrize(("after", "until"), [(0, 3), (3, 10), (10, 42), (42, 42)])
def test_a_part_is_these_lines_of_the_whole(club: CommandLine, after: int, until: int) -> None:
    lines = club.ok("export").splitlines()
    assert club.ok("export", "--after", after, "--until", until).splitlines() == lines[after:until]
    assert club.ok("export", "--after", after).splitlines() == lines[after:]


def test_a_part_of_a_damaged_ledger_stops_where_it_does_not_fit(club: CommandLine) -> None:
    import sqlite3

    whole = club.ok("export").splitlines()
    with sqlite3.connect(club.ledger) as base:
        for (trigger,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            base.execute(f"DROP TRIGGER {trigger}")
        base.execute("UPDATE entries SET recorded_by = 'else' WHERE position = 10")
    base.close()
    assert club.ok("export", "--after", 10).splitlines() == whole[10:]
    assert "position 10" in club.run("export", "--after", 5).stderr


def test_one_deal_is_a_hand_record_of_its_own(club: CommandLine) -> None:
    club.ok("import", ROOT / "replays" / "kop" / "match-official.toml")
    record = club.ok("export", "--as", "hand-record", "kop-match-official", "--deal", 2)
    assert record.count("[[deal]]") == 1
    other = club.beside()
    other.ok("import", other.file("deal.toml", record.encode()))
    lines = [cli.json("score", "kop-match-official")["deals"][place]["lines"] for cli, place in ((club, 1), (other, 0))]
    assert lines[0] == lines[1]
