"""Invented years are repeatable, importable, and contain everything that a club's record has."""

import tomllib
from collections import Counter
from datetime import date, timedelta
from functools import cache
from itertools import groupby
from pathlib import Path
from random import Random

import msgspec
import pytest

import ledger
from ledger import events as ev
from ledger.errors import MalformedError
from ledger.games import game_named
from ledger.recording.seasons.members import Member, invent_members, read_members
from ledger.recording.seasons.policies import SKILLS
from ledger.recording.seasons.season import Club, invent_season

FIRST = date(2024, 9, 5)
EVENINGS = 30
GAMES = ("ombre", "quadrille", "couillon", "kop", "baska")


def club(**changed: object) -> Club:
    games = [game_named(name) for name in GAMES]
    settings = {
        "members": invent_members(Random("1")),
        "games": games,
        "first": FIRST,
        "deals": 3,
        "seed": 1,
        "slug": "club",
    }
    return Club(**{**settings, "options": {}, **changed})  # type: ignore[arg-type]


@cache
def years(evenings: int = EVENINGS) -> tuple[ev.BareLine, ...]:
    return tuple(invent_season(club(), evenings))


def tables() -> dict[str, list[ev.BareLine]]:
    lines: dict[str, list[ev.BareLine]] = {}
    for line in years():
        if line.stream.startswith("table/"):
            lines.setdefault(line.stream, []).append(line)
    return lines


def test_the_same_seed_makes_the_same_years_and_another_one_others() -> None:
    assert tuple(invent_season(club(), 3)) == tuple(invent_season(club(), 3)) != tuple(invent_season(club(seed=2), 3))


def test_a_further_evening_changes_none_before_it() -> None:
    shorter = tuple(invent_season(club(), 3))
    assert years()[: len(shorter)] == shorter


def test_an_evening_comes_every_week_with_its_place_and_zone() -> None:
    sessions = [line.event for line in years() if isinstance(line.event, ev.SessionOpened)]
    assert [one.date for one in sessions] == [str(FIRST + timedelta(weeks=week)) for week in range(EVENINGS)]
    assert {(one.place, one.zone) for one in sessions} >= {("Kraków", "Europe/Warsaw"), ("東京", "Asia/Tokyo")}


def test_it_begins_at_seven_by_the_clocks_of_its_place() -> None:
    begun = {line.event.zone: line.happened_at for line in years() if isinstance(line.event, ev.SessionOpened)}
    assert begun["Asia/Tokyo"] is not None
    assert begun["Asia/Tokyo"][11:] == "10:00:00.000000Z"


def test_nobody_sits_at_two_tables_of_a_round_and_some_stay_away() -> None:
    seen: Counter[str] = Counter()
    for session, lines in groupby(
        (line.event for line in years() if isinstance(line.event, ev.TableOpened)), key=lambda event: event.session
    ):
        sitting: Counter[str] = Counter(player for event in lines for player in event.players)
        assert max(sitting.values()) <= 2, session
        seen.update(sitting.keys())
    assert 0 < min(seen.values()) < max(seen.values()) <= EVENINGS


def test_all_games_and_forms_are_played() -> None:
    opened = [lines[0].event for lines in tables().values()]
    assert {one.game for one in opened if isinstance(one, ev.TableOpened)} == set(GAMES)
    forms = {
        str(one.options.get("form")) for one in opened if isinstance(one, ev.TableOpened) and one.game == "couillon"
    }
    assert len(forms) == 5


def test_a_record_has_what_clubs_have() -> None:
    counts = Counter(type(line.event) for line in years())
    for kind in (ev.Corrected, ev.DisputeRaised, ev.RulingGiven, ev.ResultRecorded, ev.PlayerSeated):
        assert counts[kind] > 0, kind
    assert {line.event.kind for line in years() if isinstance(line.event, ev.RulingGiven)} == {
        "stands",
        "adjust",
        "void",
    }
    hands = [line.event.hands for line in years() if isinstance(line.event, ev.CardsDealt)]
    assert 0.2 < sum(hand[0] is None for hand in hands) / len(hands) < 0.9
    open_ones = [lines for lines in tables().values() if not isinstance(lines[-1].event, ev.TableClosed)]
    assert 0 < len(open_ones) < 20


def test_it_is_recorded_and_scored_without_a_refusal(tmp_path: Path) -> None:
    path = tmp_path / "years.ndjson"
    path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in years()))
    with ledger.create(tmp_path / "club.ledger") as store:
        ledger.import_file(store, path, ledger.Recording(by="me"))
        names = [row.table for row in ledger.tables(store)]
        statuses: Counter[str] = Counter()
        for name in names:
            statuses.update(deal.status for deal in ledger.score(store, name).deals)
    dealt = sum(isinstance(line.event, ev.DealStarted) for line in years())
    assert sum(statuses.values()) == dealt
    assert statuses["complete"] > 0.95 * dealt
    assert statuses["voided"] > 0


def test_members_who_are_always_there_sit_as_often_as_there_is_place() -> None:
    four = [Member(name, "careful", 1.0) for name in ("Ann", "Ben", "Cleo", "Dan")]
    lines = list(invent_season(club(members=four, games=[game_named("kop")]), 3))
    assert sum(isinstance(line.event, ev.TableOpened) for line in lines) == 6


def test_too_few_members_make_an_evening_without_tables() -> None:
    alone = [Member("Ann", "careful", 1.0)]
    lines = list(invent_season(club(members=alone), 2))
    assert {line.stream.partition("/")[0] for line in lines} == {"session"}


def test_options_that_no_game_has_are_refused() -> None:
    with pytest.raises(MalformedError, match="no game takes these options"):
        list(invent_season(club(options={"antes": 3}), 1))


def test_evenings_beyond_the_calendar_are_refused() -> None:
    with pytest.raises(MalformedError, match="the evenings end after the year 9999"):
        list(invent_season(club(members=[], first=date(9999, 12, 30)), 2))


REFUSED = tomllib.loads(Path(__file__).with_name("members.toml").read_text(encoding="utf-8"))


def members_of(tmp_path: Path, text: str) -> tuple[Member, ...]:
    path = tmp_path / "members.txt"
    path.write_text(text, encoding="utf-8")
    return read_members(path, Random("1"))


def test_a_line_says_a_name_and_if_wanted_how_well_and_how_often_he_plays(tmp_path: Path) -> None:
    ada, ben, kim = members_of(tmp_path, "# our club\nAda Ś\n\nBen; counting\n花子; careful ; 0.8 # since May\n")
    assert ada.name == "Ada Ś"
    assert ada.skill in SKILLS
    assert 0 < ada.comes <= 1
    assert (ben.name, ben.skill) == ("Ben", "counting")
    assert kim == Member("花子", "careful", 0.8)


def test_a_changed_line_changes_nobody_else(tmp_path: Path) -> None:
    drawn = members_of(tmp_path, "Ada\nBen\nKim\n")
    assert members_of(tmp_path, "Ada\nBen; random; 0.5\nKim\n")[2] == drawn[2]


@pytest.mark.parametrize(("text", "message"), REFUSED.items())
def test_an_unreadable_line_is_refused_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(MalformedError) as error:
        members_of(tmp_path, text)
    assert message in str(error.value)


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "members.txt"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(MalformedError, match="this is not a text file"):
        read_members(path, Random("1"))


def test_an_invented_club_has_people_of_each_skill() -> None:
    club = invent_members(Random("1"))
    assert {member.skill for member in club} == set(SKILLS)
    assert len({member.name for member in club}) == len(club)
