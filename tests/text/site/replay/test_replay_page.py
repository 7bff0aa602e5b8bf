"""Check the page of a deal at a step: its sentences, the list of acts, findings and decisions, the score."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ledger
from ledger.errors import NotFoundError
from ledger.events import Corrected, DisputeRaised, Noted, RulingGiven
from ledger.games import rule_named
from ledger.table.repository import TableAsRead
from ledger.text.site.cards import aria_text
from ledger.text.site.replay.navigation import Rights, moves_from, target_step
from ledger.text.site.replay.readings import ComparedRow, FoldedRows, ReadingsPage, readings_page_of
from ledger.text.site.replay.replay_page import default_step, step_after
from ledger.text.site.replay.table_page import table_page_of
from ledger.text.site.replay.viewpoint import Viewpoint
from tests.text.reading import PageReader
from tests.text.site.replay.reading_pages import READERS, REPLAYS, rendered, replayed
from tests.web.serving import OMBRE, ledger_of, record

REVOKE = next(path for path in REPLAYS if path.match("ombre/revoke.toml"))
KOP = next(path for path in REPLAYS if path.match("kop/10-*.toml"))
GOLDEN = Path(__file__).parent / "announcements.txt"
DATA = tomllib.loads(Path(__file__).with_name("replay_page.toml").read_text(encoding="utf-8"))


def read_of(path: Path, table: str | None = None) -> TableAsRead:
    with ledger.open(path) as store:
        return next(ledger.api.read_tables(store, table))


def recorded_in(folder: Path, *events: Any) -> TableAsRead:
    """Record the events of one table in a new ledger, and return the table as it is read."""
    path = folder / "club.ledger"
    with ledger.create(path) as store:
        record(store, "fri-1", *events)
    return read_of(path)


@pytest.fixture(scope="module")
def revoke(tmp_path_factory: pytest.TempPathFactory) -> TableAsRead:
    return read_of(ledger_of(tmp_path_factory.mktemp("revoke"), REVOKE))


@pytest.mark.parametrize(("at", "step_text"), DATA["step_text"].items())
def test_a_step_names_its_act_the_alternatives_and_the_next_seat(revoke: TableAsRead, at: str, step_text: str) -> None:
    step, lang, *seats = at.split()
    (seat,) = (int(one.removeprefix("seat=")) for one in seats) if seats else (None,)
    assert replayed(revoke, 1, int(step), lang, seat=seat).step_text == step_text


def test_the_aria_text_names_cards_in_words(revoke: TableAsRead) -> None:
    assert replayed(revoke, 1, 24).aria_text == (
        "Trick 5: Baron plays 2 of hearts. Could have been played instead: 6 of diamonds, 4 of diamonds. "
        "Belinda takes the trick: highest trump."
    )


def test_a_page_says_with_whose_eyes_it_looks(revoke: TableAsRead) -> None:
    shown = replayed(revoke, 1, 23, seat=1)
    assert shown.title == "ombre-revoke, deal 1, as Baron saw it"
    assert "Nothing else is sent to this page." in shown.notes[0]


def test_a_revoke_has_all_that_a_ruling_may_rest_on(revoke: TableAsRead) -> None:
    fault, remark = sorted(replayed(revoke, 1, 24).findings, key=lambda one: not one.is_fault)
    assert (fault.stamp, fault.code.id, fault.is_here) == ("Revoke", "OMB-11.37", True)
    assert fault.against is not None and fault.against.address == "/rules/ombre#OMB-6.5"
    assert fault.against.text is not None and fault.against.text.startswith("If a plain suit is led")
    (in_japanese,) = (one.against for one in replayed(revoke, 1, 24, "ja").findings if one.is_fault)
    assert in_japanese is not None and in_japanese.lang == "ja"
    assert in_japanese.text == rule_named("OMB-6.5", "ja").text
    withheld = next(one for one in fault.about if one.links)
    assert [(link.text, link.address) for link in withheld.links] == [
        ("♦4 (fell in trick 6, entry 27)", "/t/ombre-revoke/1/26"),
        ("♦6 (fell in trick 7, entry 31)", "/t/ombre-revoke/1/30"),
    ]
    assert fault.about[0].before == "established: trick 5 was turned before the next lead, entry 26"
    assert (remark.stamp, remark.is_fault, remark.is_here) == ("Remark", False, False)


def test_a_seat_sees_only_its_own_violations(revoke: TableAsRead) -> None:
    assert [one.code.id for one in replayed(revoke, 1, 36, seat=1).findings if one.is_fault] == ["OMB-11.37"]
    assert [one for one in replayed(revoke, 1, 36, seat=0).findings if one.is_fault] == []
    assert list(replayed(revoke, 1, 20, seat=1).marks)[-1].kind == "remark"


def test_tricks_are_gone_through_by_their_ends(revoke: TableAsRead) -> None:
    shown = replayed(revoke, 1, 24)
    assert list(shown.moves.stops) == [0, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36]
    ends = moves_from(36, shown.moves.stops, shown.marks)
    assert (ends.next, ends.trick_on, ends.back, ends.trick_back, ends.finding) == (None, None, 35, 33, 11)
    at = Viewpoint(table="ombre-revoke", deal=1)
    for to, step in [("next", 25), ("back", 23), ("trick-on", 27), ("trick-back", 21), ("last", 36), ("first", 0)]:
        assert step_after(revoke, at, 24, to, READERS["en"]) == step  # type: ignore[arg-type]
    assert target_step("finding", 11, shown.moves.stops, shown.marks) == 24
    assert target_step("next", 36, shown.moves.stops, shown.marks) == 36


def test_a_step_that_is_not_there_is_not_shown(revoke: TableAsRead) -> None:
    with pytest.raises(NotFoundError):
        replayed(revoke, 1, 37)
    with pytest.raises(NotFoundError):
        replayed(revoke, 2, 0)


def test_the_result_has_every_payment_with_its_rule(revoke: TableAsRead) -> None:
    score = replayed(revoke, 1, 0).score
    assert score is not None and score.title == "entrada, codille" and score.has_pool
    assert [(one.rule.id if one.rule else "", one.between, one.amount) for one in score.payments] == [
        ("OMB-3.4", "Clarissa →\N{NO-BREAK SPACE}pool", 5),
        ("OMB-7.23", "Belinda →\N{NO-BREAK SPACE}Clarissa", 20),
    ]
    assert [(row.name, list(row.figures), row.pool) for row in score.rows][-1] == (
        "after this deal",
        ["−20", "0", "+15"],
        "5",
    )


def test_a_seat_sees_which_trumps_it_had_not_seen(revoke: TableAsRead) -> None:
    """Most quarrels ask this: could the player have known that trumps were out?"""
    known = replayed(revoke, 1, 23, seat=1).known
    assert known is not None and known.title == "What Baron had seen"
    assert known.answer == "Baron had not seen 6 trumps: ♠K ♠Q ♠J ♠6 ♠4 ♠3."
    assert list(known.own) == [("in hand", "♠A ♠2 ♥2 ♦6 ♦4"), ("put aside", "♥A ♥3 ♦A")]
    assert [(one.name, one.fallen) for one in known.suits][:2] == [("trumps", "♣A ♠7 ♠5"), ("♥", "♥5 ♥6 ♥7")]
    assert known.places == (
        "The unseen cards may be with Belinda, Clarissa; among the cards that others put aside; in the stock."
    )
    said = PageReader(rendered(replayed(revoke, 1, 23, seat=1))).text
    assert "What Baron had seen" in said and "had fallen" in said
    assert replayed(revoke, 1, 23).known is None and replayed(revoke, 1, 0, seat=1).known is None


def test_a_seat_sees_that_no_trump_was_out(tmp_path: Path) -> None:
    four = next(path for path in REPLAYS if path.match("kop/04-*.toml"))
    read = read_of(ledger_of(tmp_path, four))
    known = replayed(read, 1, None, seat=0).known
    assert known is not None and known.answer == "No trump was out: Ada had seen them all." and known.places == ""


def test_addresses_say_no_more_than_they_must() -> None:
    at = Viewpoint(table="fri-1", deal=2)
    assert at.step_address(3) == "/t/fri-1/2/3"
    assert Viewpoint(table="fri-1", deal=2, seat=1, below=1).step_address(3) == "/t/fri-1/2/3?seat=1"
    full = Viewpoint(table="fri-1", deal=2, seat=1, below=0, reading="recorded", others=[("as_of", "9")])
    assert full.step_address(3) == "/t/fri-1/2/3?seat=1&below=0&reading=recorded&as_of=9"
    assert full.api_address(".toml") == "/api/v1/tables/fri-1/deals/2.toml?seat=1&reading=recorded&as_of=9"
    assert full.picture_address(3, "svg") == "/t/fri-1/2/3.svg?seat=1&below=0&reading=recorded&as_of=9"
    assert full.embedded().step_address(3) == "/embed/fri-1/2/3?below=0&reading=recorded&as_of=9"
    assert full.embedded().full_page_address(3) == "/t/fri-1/2/3?below=0&reading=recorded&as_of=9"
    assert full.deal_address(5) == "/t/fri-1/5?below=0&reading=recorded&as_of=9"


@pytest.mark.parametrize(("text", "said"), DATA["aloud"].items())
def test_cards_are_read_out_by_their_names(text: str, said: str) -> None:
    assert aria_text(text, "en") == said


def test_what_is_announced_of_a_deal_in_its_order(tmp_path: Path) -> None:
    """The live region announces each act, in both languages."""
    read = read_of(ledger_of(tmp_path, KOP))
    last = replayed(read, 1, None).last
    step_text = [f"{step} {replayed(read, 1, step, lang).aria_text}" for lang in READERS for step in range(last + 1)]
    assert step_text == GOLDEN.read_text(encoding="utf-8").splitlines()


HOSTILE = '<script>alert("1")</script>&"\'', "Ben {name} %s \u202e", "♥A</title>"


def test_names_and_texts_are_never_markup(tmp_path: Path) -> None:
    opened, dispute = {**OMBRE[0], "players": HOSTILE}, DisputeRaised(deal=1, text="<b onclick=x>", version=4)
    fine = RulingGiven(deal=1, kind="adjust", text="so ruled", deltas=(-5, 0, 0), pool=5)
    read = recorded_in(tmp_path, opened, *OMBRE[1:], dispute, Noted(text="<i>"), fine)
    for step in range(4):
        for lang in READERS:
            text = rendered(replayed(read, 1, step, lang), lang)
            PageReader(text)
            assert "<script>alert" not in text and "<b onclick" not in text and "♥A</title>" not in text
    assert "&lt;b onclick=x&gt;" in text and "プール +5:so ruled" in text


def test_a_deal_that_is_being_played_goes_on_at_its_last_step(tmp_path: Path) -> None:
    read = recorded_in(tmp_path, *OMBRE)
    at = Viewpoint(table="fri-1", deal=1)
    assert default_step(read, at, READERS["en"]) == 3
    shown = replayed(read, 1, None)
    assert shown.is_open and shown.goes_on and shown.score is None
    assert any("being played" in note for note in shown.notes)
    table = table_page_of(read, READERS["en"], may_record=True)
    assert (table.watch, table.record) == ("/t/fri-1/1", "/record/fri-1")
    assert [(row.result, list(row.moved), row.is_open) for row in table.deals] == [("being played", [""] * 3, True)]


def test_a_table_at_which_nothing_was_counted_has_no_totals(tmp_path: Path) -> None:
    opened = {"type": "table_opened", "game": "kop", "players": ["Ann", "Ben", "Cleo", "Dan"]}
    read = recorded_in(tmp_path, opened, {"type": "deal_started", "deal": 1, "dealer": 0})
    assert not table_page_of(read, READERS["en"], may_record=True).totals


def test_a_deal_that_is_over_begins_when_its_cards_are_dealt(revoke: TableAsRead) -> None:
    assert default_step(revoke, Viewpoint(table="ombre-revoke", deal=1), READERS["en"]) == 2


@pytest.fixture
def corrected(tmp_path: Path) -> Iterator[TableAsRead]:
    """Record a deal in which the Baron's cards to tricks 5 and 6 were exchanged by mistake."""
    path = ledger_of(tmp_path, REVOKE)
    with ledger.open(path) as store:
        for version, card in ((25, "D4"), (27, "H2")):
            event = {"type": "card_played", "seat": 1, "card": card}
            step_text = {"type": "corrected", "version": version, "action": "replace", "reason": "changed about"}
            record(store, "ombre-revoke", {**step_text, "events": [event]})
        yield next(ledger.api.read_tables(store))


def test_a_correction_is_marked_in_the_list_and_described(corrected: TableAsRead) -> None:
    shown = replayed(corrected, 1, 24)
    marked = [laid.card for trick in shown.course.tricks for laid in trick.cards if laid.is_corrected]
    assert marked == ["D4", "H2"]
    step_text = [one for one in shown.decisions if one.stamp == "Corrected"]
    assert [one.links[0].address for one in step_text] == ["/t/ombre-revoke/1/24", "/t/ombre-revoke/1/26"]
    assert "written: Baron ♥2" in step_text[0].text and "changed about" in step_text[0].notes[0]
    assert not any(one.is_fault for one in shown.findings)


def test_side_by_side_only_what_differs_is_unfolded(corrected: TableAsRead) -> None:
    both = readings_page_of(corrected, Viewpoint(table="ombre-revoke", deal=1), READERS["en"], Rights(), is_whole=False)
    assert [row.entry for row in both.rows if isinstance(row, ComparedRow)] == [str(one) for one in range(23, 30)]
    assert [row.text for row in both.rows if isinstance(row, FoldedRows)] == [
        "Entries 2 to 22 are the same",
        "Entries 30 to 38 are the same",
    ]
    changed = [row for row in both.rows if isinstance(row, ComparedRow) and row.differs]
    assert [(row.was.text, row.now.text, [one.id for one in row.was.broke]) for row in changed] == [
        ("Baron ♥2", "Baron ♦4", ["OMB-11.37"]),
        ("Baron ♦4", "Baron ♥2", []),
    ]
    assert [link.text for link in both.no_longer] == ["OMB-11.37 (entry 25)"]
    assert list(both.newly) == [] and both.whole == "/t/ombre-revoke/1/readings?all=true"
    whole = readings_page_of(corrected, Viewpoint(table="ombre-revoke", deal=1), READERS["en"], Rights(), is_whole=True)
    assert not any(isinstance(row, FoldedRows) for row in whole.rows) and whole.whole == ""


def test_side_by_side_a_seat_reads_what_it_could_know(corrected: TableAsRead) -> None:
    def seen_by(seat: int) -> ReadingsPage:
        at = Viewpoint(table="ombre-revoke", deal=1, seat=seat)
        return readings_page_of(corrected, at, READERS["en"], Rights(), is_whole=True)

    def step_text(both: ReadingsPage) -> str:
        return " ".join(row.now.text for row in both.rows if isinstance(row, ComparedRow))

    baron, belinda = seen_by(1), seen_by(0)
    assert baron.title == "ombre-revoke, deal 1: both readings, as Baron saw it"
    assert "puts aside ♥A ♥3 ♦A" in step_text(baron) and "puts aside ♥A" not in step_text(belinda)
    assert [link.text for link in baron.no_longer] == ["OMB-11.37 (entry 25)"] and list(belinda.no_longer) == []
    assert {row.now.at for row in baron.rows if isinstance(row, ComparedRow)} >= {"/t/ombre-revoke/1/24?seat=1"}
    assert [one.text for one in baron.choices.readings if one.is_chosen] == ["side by side"]


def test_the_reading_as_first_written_is_shown_on_request(corrected: TableAsRead) -> None:
    assert Corrected in {type(event) for _, event in corrected.fold.recorded}
    assert replayed(corrected, 1, 24, reading="recorded").notes[-1].startswith("This is the record as first written")
