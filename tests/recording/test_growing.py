"""Hand records that are typed while the game goes on: imported again and again, each time a little longer."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ledger.errors import ConflictError, LedgerError, MalformedError
from ledger.events import CardPlayed, Corrected, Event, Noted, ScoreClaimed, TrickGathered
from ledger.log.base import Acknowledgement, Batch, LogStore, NewEntry
from ledger.log.memory import MemoryStore
from ledger.recording.growing import ChangedLinesError
from ledger.recording.importing import ImportReport, import_content
from ledger.recording.live.table import LiveTable
from ledger.table.fold import TableFold
from ledger.table.lookup import fold_table
from tests.growing_records import GAMES, hand_record, simulated
from tests.japanese import assert_told_in_japanese

HEAD = 'game = "ombre"\ntable = "t"\nplayers = ["Ann", "Ben", "Cleo"]\n'
FIRST = '[[deal]]\ndealer = "Cleo"\ncalls = "entrada pass pass"\ntrump = "S"\nexchange = "3 3 4"\nplay = """\n'
TRICKS = ["SA S4 S3", "DK D6 D3", "H2 H4 HQ", "C2 C3 C4"]
ASIDE = (Noted, ScoreClaimed, TrickGathered)
"""What stays where the file does not tell it."""
REPLAYS = sorted(Path("replays").glob("*/*.toml"))


def deal(*tricks: str, after: str = "") -> str:
    return FIRST + "\n".join(tricks) + '\n"""\n' + after


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


def put(store: LogStore, text: str, **how) -> ImportReport:
    return import_content(store, text.encode(), "sheet.toml", recorded_by="test", **how)


def events(store: LogStore, stream: str = "table/t") -> list[Event]:
    return [row.event() for row in store.read_stream(stream)]


def cards(store: LogStore) -> list[str]:
    """The cards as they are read now."""
    return [event.card for _, event in fold_table(store, "t").entries if isinstance(event, CardPlayed)]


def recorded_at_once(text: str) -> dict[str, list[Event]]:
    whole = MemoryStore()
    put(whole, text)
    return streams(whole)


def streams(store: LogStore) -> dict[str, list[Event]]:
    return {head.stream: events(store, head.stream) for head in store.streams()}


def correct(store: LogStore, version: int, **fields) -> None:
    correction = Corrected(version=version, reason="misread", **fields)
    store.append(Batch("table/t", "any", (NewEntry(correction),)), recorded_by="director")


def note(store: LogStore, text: str, **about: int) -> None:
    store.append(Batch("table/t", "any", (NewEntry(Noted(text=text, **about)),)), recorded_by="somebody")


# --- what is new ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=15)
@given(seed=st.integers(0, 1_000), chance=st.randoms(use_true_random=False))
def test_a_file_imported_twenty_times_while_it_grows_is_the_one_imported_at_once(
    game: str, seed: int, chance: Random
) -> None:
    played = simulated(game, 3, seed)
    store = MemoryStore()
    lengths = sorted(chance.sample(range(1, len(played)), min(19, len(played) - 1)))
    reports = [put(store, hand_record(played[:length])) for length in [*lengths, len(played)]]
    assert events(store) == played
    assert sum(report.events for report in reports) == len(played)
    assert not any(report.corrected or report.lacking for report in reports)


@pytest.mark.parametrize("path", REPLAYS, ids=lambda path: path.stem)
def test_every_record_of_the_project_can_be_imported_deal_by_deal(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    ending = re.compile(r"(?m)^closed *=.*\n")
    head, *deals = re.split(r"(?m)^(?=\[\[deal\]\])", re.sub(r"(?ms)^\[expect\].*?(?=^\[|\Z)", "", text))
    store = MemoryStore()
    for count in range(len(deals) + 1):
        put(store, ending.sub("", head) + "".join(deals[:count]))
    put(store, text)
    assert streams(store) == recorded_at_once(text)


def test_the_same_file_again_records_nothing(store: MemoryStore) -> None:
    first, again = put(store, HEAD + deal(*TRICKS)), put(store, HEAD + deal(*TRICKS))
    assert (again.events, again.already_recorded, again.lacking) == (0, first.events, 0)


def test_a_note_before_lines_that_are_typed_later_is_told_already(store: MemoryStore) -> None:
    put(store, HEAD + deal(TRICKS[0], after='notes = "Ben came late"\n'))
    put(store, HEAD + deal(*TRICKS[:2], after='notes = ["Ben came late", "rain"]\n'))
    told = events(store)
    assert told.count(Noted(text="Ben came late")) == told.count(Noted(text="rain")) == 1
    assert cards(store) == " ".join(TRICKS[:2]).split()


def test_the_session_that_the_file_opened_is_told_already(store: MemoryStore) -> None:
    session = '[session]\nslug = "s"\ntitle = "Spring"\ndate = 2026-03-20\n'
    put(store, HEAD + session + deal(TRICKS[0]))
    assert put(store, HEAD + session + deal(*TRICKS[:2])).events == 3
    assert len(events(store, "session/s")) == 1


def test_a_new_file_still_cannot_open_the_session_of_another(store: MemoryStore) -> None:
    session = '[session]\nslug = "s"\ntitle = "Spring"\ndate = 2026-03-20\n'
    put(store, HEAD + session + deal(TRICKS[0]))
    with pytest.raises(MalformedError, match="the session is open already"):
        put(store, HEAD.replace('"t"', '"u"') + session + deal(TRICKS[0]))


def test_disputes_rulings_and_notes_of_others_are_no_hindrance(store: MemoryStore) -> None:
    put(store, HEAD + deal(TRICKS[0]))
    note(store, "a look at this card", version=8)
    note(store, "the lamp went out")
    put(store, HEAD + deal(*TRICKS[:2], after='notes = "rain"\n'))
    put(store, HEAD + deal(*TRICKS[:3], after='notes = "rain"\n'))
    assert cards(store) == " ".join(TRICKS[:3]).split()
    assert [event.text for event in events(store) if isinstance(event, Noted)] == [
        "a look at this card",
        "the lamp went out",
        "rain",
    ]


# --- what was corrected since -----------------------------------------------------------------------------------------


def version_of(store: LogStore, card: str) -> int:
    return next(
        row.version
        for row in store.read_stream("table/t")
        if isinstance(row.event(), CardPlayed) and row.event().card == card
    )


@pytest.mark.parametrize("typed", ["S4", "S5"], ids=["as first written", "as it reads now"])
def test_a_corrected_entry_counts_as_told(store: MemoryStore, typed: str) -> None:
    put(store, HEAD + deal(TRICKS[0]))
    correct(store, version_of(store, "S4"), action="replace", events=(CardPlayed(seat=1, card="S5"),))
    report = put(store, HEAD + deal(f"SA {typed} S3", TRICKS[1]))
    assert (report.events, report.corrected) == (3, ())
    assert cards(store) == ["SA", "S5", "S3", "DK", "D6", "D3"]


@pytest.mark.parametrize("tricks", [["SA S4 S3", "Ann: DK"], ["SA S4", "Ann: DK"]], ids=["still there", "taken out"])
def test_a_struck_entry_counts_as_told(store: MemoryStore, tricks: list[str]) -> None:
    put(store, HEAD + deal("SA S4 S3"))
    correct(store, version_of(store, "S3"), action="strike")
    named = [re.sub("^SA S4$", "SA S4 >Ann", trick) for trick in tricks]
    try:
        report = put(store, HEAD + deal(*named))
    except LedgerError as error:
        pytest.fail(str(error))
    assert report.corrected == ()
    assert cards(store)[:3] == ["SA", "S4", "DK"]


def test_new_lines_follow_from_what_was_corrected(store: MemoryStore) -> None:
    """The file still has the card that was misread; in truth Ben won the trick, and so leads to the next."""
    put(store, HEAD + deal("S3 S4 S5"))
    correct(store, version_of(store, "S4"), action="replace", events=(CardPlayed(seat=1, card="SK"),))
    put(store, HEAD + deal("S3 S4 S5", "DK D6 D3"))
    assert [event.seat for event in events(store) if isinstance(event, CardPlayed)][3:] == [1, 2, 0]


# --- what is told otherwise -------------------------------------------------------------------------------------------


def test_a_changed_line_is_shown_as_the_correction_it_would_be_and_refused(store: MemoryStore) -> None:
    put(store, HEAD + deal(*TRICKS[:2]))
    before = store.head()
    with pytest.raises(ChangedLinesError) as refused:
        put(store, HEAD + deal("SA S5 S3", *TRICKS[1:]))
    assert str(refused.value) == (
        "sheet.toml: what stands in the ledger already is told otherwise; nothing was recorded; "
        "to record it as corrections, say --correct --reason TEXT\n"
        f"  line 10: was Ben: S4; now Ben: S5 (version {version_of(store, 'S4')})"
    )
    assert_told_in_japanese(refused.value.said, "correct", "reason")
    assert refused.value.code == "forked"
    assert refused.value.exit_status == 4
    assert refused.value.values["line"] == 10
    assert store.head() == before


def test_with_a_reason_it_is_recorded_with_what_is_new_in_one_append(store: MemoryStore) -> None:
    put(store, HEAD + deal(*TRICKS[:2]))
    appended = []

    class Watched(MemoryStore):
        def append_all(self, batches, *, recorded_by: str) -> list[Acknowledgement]:
            appended.append(len(batches))
            return super().append_all(batches, recorded_by=recorded_by)

    watched = Watched()
    put(watched, HEAD + deal(*TRICKS[:2]))
    appended.clear()
    report = put(watched, HEAD + deal("SA S5 S3", *TRICKS[1:3]), reason="the 5 was read as a 4")
    assert [(one.line, one.was, one.now) for one in report.corrected] == [
        (10, (CardPlayed(seat=1, card="S4"),), (CardPlayed(seat=1, card="S5"),))
    ]
    assert appended == [1]
    assert cards(watched) == ["SA", "S5", "S3", *" ".join(TRICKS[1:3]).split()]
    assert [event.reason for event in events(watched) if isinstance(event, Corrected)] == ["the 5 was read as a 4"]


SECOND = '[[deal]]\ncalls = "pass pass pass"\n'


def test_a_line_taken_out_is_a_correction(store: MemoryStore) -> None:
    put(store, HEAD + deal(*TRICKS) + SECOND)
    with pytest.raises(ChangedLinesError, match=r"line 12: was Cleo: C2; now nothing \(version 20\)\n.*was Ann: C3"):
        put(store, HEAD + deal(*TRICKS[:3]) + SECOND)
    put(store, HEAD + deal(*TRICKS[:3]) + SECOND, reason="the last trick was of another deal")
    assert cards(store) == " ".join(TRICKS[:3]).split()


def test_a_line_put_in_is_a_correction(store: MemoryStore) -> None:
    sheet = "sheet = { deltas = { Ann = 0, Ben = 0, Cleo = 0 } }\n"
    put(store, HEAD + deal(*TRICKS) + SECOND)
    with pytest.raises(ChangedLinesError, match=r'line 15: was nothing; now \{"type":"score_claimed"'):
        put(store, HEAD + deal(*TRICKS, after=sheet) + SECOND)
    put(store, HEAD + deal(*TRICKS, after=sheet) + SECOND, reason="the sheet was found")
    assert fold_table(store, "t").deal(1).claims
    assert not fold_table(store, "t").deal(2).claims


def test_a_note_in_other_words_is_a_correction(store: MemoryStore) -> None:
    put(store, HEAD + deal(TRICKS[0], after='notes = "Ben came very late"\n'))
    put(store, HEAD + deal(TRICKS[0], after='notes = "Ben came late"\n'), reason="he did not")
    assert [event for _, event in fold_table(store, "t").entries if isinstance(event, Noted)] == [
        Noted(text="Ben came late")
    ]


def test_another_name_of_a_player_is_a_correction(store: MemoryStore) -> None:
    put(store, HEAD + deal(TRICKS[0]))
    put(store, HEAD.replace("Ben", "Benno") + deal(*TRICKS[:2]), reason="his whole name")
    assert fold_table(store, "t").players == ["Ann", "Benno", "Cleo"]
    assert len(cards(store)) == 6


def test_another_title_of_the_session_is_a_correction_of_the_session(store: MemoryStore) -> None:
    session = '[session]\nslug = "s"\ntitle = "Spring"\ndate = 2026-03-20\n'
    put(store, HEAD + session + deal(TRICKS[0]))
    with pytest.raises(ChangedLinesError, match=r"line 4: was .*Spring.*; now .*Summer"):
        put(store, HEAD + session.replace("Spring", "Summer") + deal(TRICKS[0]))
    put(store, HEAD + session.replace("Spring", "Summer") + deal(*TRICKS[:2]), reason="it is June")
    assert isinstance(events(store, "session/s")[-1], Corrected)
    assert len(cards(store)) == 6


def test_a_table_that_was_closed_and_goes_on_was_not_closed(store: MemoryStore) -> None:
    put(store, HEAD + "closed = true\n" + deal(*TRICKS))
    with pytest.raises(ChangedLinesError, match=r"was .*table_closed.*; now nothing"):
        put(store, HEAD + "closed = true\n" + deal(*TRICKS) + SECOND)
    put(store, HEAD + "closed = true\n" + deal(*TRICKS) + SECOND, reason="one more deal")
    assert len(fold_table(store, "t").deals) == 2
    assert fold_table(store, "t").is_closed


@settings(max_examples=60)
@given(data=st.data(), game=st.sampled_from(GAMES), seed=st.integers(0, 200))
def test_the_table_reads_as_the_file_does_whatever_was_changed_in_it(data, game: str, seed: int) -> None:
    played = simulated(game, 2, seed)
    changed = list(played)
    places = [place for place, event in enumerate(played) if isinstance(event, CardPlayed)]
    assume(places)
    for place in data.draw(st.lists(st.sampled_from(places), min_size=1, max_size=4, unique=True)):
        other = played[data.draw(st.sampled_from(places))]
        assert isinstance(other, CardPlayed)
        changed[place] = CardPlayed(seat=played[place].seat, card=other.card)  # type: ignore[union-attr]
    store = MemoryStore()
    put(store, hand_record(played[: data.draw(st.integers(places[0], len(played)))]))
    put(store, hand_record(changed), reason="typed again")
    assert [event for _, event in fold_table(store, "t").entries] == changed


def as_table_t(path: Path) -> str:
    """A record of the project without its session, as one of the table `t`."""
    text = re.sub(r"(?ms)^\[session\].*?(?=^\[)", "", path.read_text(encoding="utf-8"))
    return re.sub(r"(?m)^table *=.*$", 'table = "t"', text, count=1)


NEIGHBOURS = [(one, other) for one, other in pairwise(REPLAYS) if one.parent == other.parent]


@pytest.mark.parametrize(("one", "other"), NEIGHBOURS, ids=[f"{one.stem}-{other.stem}" for one, other in NEIGHBOURS])
def test_a_file_may_become_quite_another(one: Path, other: Path) -> None:
    """Whatever cannot be said by corrections, as another number of players, is refused and nothing recorded."""
    store = MemoryStore()
    put(store, as_table_t(one))
    before = store.head()
    try:
        report = put(store, as_table_t(other), reason="another table")
    except (MalformedError, ChangedLinesError) as error:
        assert "with this correction" in str(error)
        assert store.head() == before
        return
    meant = [event for event in recorded_at_once(as_table_t(other))["table/t"] if not isinstance(event, ASIDE)]
    read = [event for _, event in fold_table(store, "t").entries if not isinstance(event, ASIDE)]
    assert read[: len(meant)] == meant
    assert len(read) == len(meant) or report.lacking


def test_seats_that_nobody_has_any_more_are_shown_by_their_numbers(store: MemoryStore) -> None:
    four = HEAD.replace('"Cleo"]', '"Cleo", "Dan"]')
    put(store, four + '[[deal]]\ndealer = "Ann"\ncalls = "Dan: pass"\n')
    with pytest.raises(ChangedLinesError, match=r"was 3: pass; now Cleo: pass"):
        put(store, HEAD + '[[deal]]\ndealer = "Ann"\ncalls = "Cleo: pass"\n')


def test_a_slip_in_a_deal_that_stands_already_is_not_told_again(store: MemoryStore) -> None:
    """H3 is played twice; the deal was recorded as it was typed."""
    slip = deal("SA S4 S3", "DK D6 D3", "H2 H3 HQ", "C2 C3 H3")
    assert len(put(store, HEAD + slip).slips) == 1
    assert len(put(store, HEAD + deal("SA S4 S3", "DK D6 D3", "H2 H3 HQ", "C2 C3 H3", "C4 C5 C6")).slips) == 1
    grown = deal("SA S4 S3", "DK D6 D3", "H2 H3 HQ", "C2 C3 H3", "C4 C5 C6") + SECOND
    put(store, HEAD + grown)
    report = put(store, HEAD + grown + SECOND.replace("pass pass pass", "pass pass"), strict=True)
    assert (report.slips, report.deals) == ((), 1)


# --- what is lacking --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cut", [deal(*TRICKS[:2]), deal("SA S4"), ""], ids=["tricks", "cards", "deals"])
def test_a_shorter_file_records_nothing_and_says_what_it_lacks(store: MemoryStore, cut: str) -> None:
    put(store, HEAD + deal(*TRICKS))
    before, count = store.head(), len(events(store))
    report = put(store, HEAD + cut)
    assert report.events == 0
    assert report.lacking == count - report.already_recorded > 0
    assert store.head() == before


def test_what_is_lacking_before_a_note_is_lacking_too(store: MemoryStore) -> None:
    put(store, HEAD + deal(*TRICKS, after='notes = "rain"\n'))
    assert put(store, HEAD + deal(*TRICKS[:2], after='notes = "rain"\n')).lacking == 6


def test_sheets_and_gathered_tricks_that_the_file_does_not_tell_stay(store: MemoryStore) -> None:
    sheet = "sheet = { deltas = { Ann = 0, Ben = 0, Cleo = 0 } }\n"
    put(store, HEAD + deal("SA S4 S3 > Ann", *TRICKS[1:], after=sheet))
    report = put(store, HEAD + deal(*TRICKS) + SECOND)
    assert (report.corrected, report.deals) == ((), 1)
    assert fold_table(store, "t").deal(1).claims


def test_another_sheet_is_a_correction(store: MemoryStore) -> None:
    sheet = "sheet = { deltas = { Ann = 0, Ben = 0, Cleo = 0 } }\n"
    put(store, HEAD + deal(*TRICKS, after=sheet))
    with pytest.raises(ChangedLinesError, match="line 15"):
        put(store, HEAD + deal(*TRICKS, after=sheet.replace("0 } }", "5 } }")))


# --- two recorders ----------------------------------------------------------------------------------------------------


class Interrupted(MemoryStore):
    """Somebody else records at the table whenever this one is about to."""

    meanwhile: str | None = None

    def append_all(self, batches, *, recorded_by: str) -> list[Acknowledgement]:
        if self.meanwhile is not None:
            text, self.meanwhile = self.meanwhile, None
            put(self, text)
        return super().append_all(batches, recorded_by=recorded_by)


def test_what_another_recorder_told_first_is_told_already() -> None:
    store = Interrupted()
    put(store, HEAD + deal(TRICKS[0]))
    store.meanwhile = HEAD + deal(*TRICKS[:2])
    assert put(store, HEAD + deal(*TRICKS[:3])).events == 3
    assert cards(store) == " ".join(TRICKS[:3]).split()


def test_what_another_recorder_told_otherwise_is_shown_and_nothing_is_lost() -> None:
    store = Interrupted()
    put(store, HEAD + deal(TRICKS[0]))
    store.meanwhile = HEAD + deal(TRICKS[0], "DK D7 D3")
    with pytest.raises(ChangedLinesError, match="line 11: was Ben: D7; now Ben: D6"):
        put(store, HEAD + deal(*TRICKS[:3]))
    assert cards(store) == ["SA", "S4", "S3", "DK", "D7", "D3"]


@pytest.mark.parametrize("reads", range(1, 6))
@pytest.mark.parametrize("begun", [deal(TRICKS[0]), None], ids=["a table that stands", "a new table"])
def test_it_is_no_matter_when_the_other_recorder_comes_between(begun: str | None, reads: int) -> None:
    class Watched(MemoryStore):
        left = 0

        def read_stream(self, stream: str, after_version: int = 0, until_position: int | None = None):
            rows = super().read_stream(stream, after_version, until_position)
            self.left -= 1
            if not self.left:
                put(self, HEAD + deal(*TRICKS[:2]))
            return rows

    store = Watched()
    if begun is not None:
        put(store, HEAD + begun)
    store.left = reads
    put(store, HEAD + deal(*TRICKS[:3]))
    assert streams(store) == recorded_at_once(HEAD + deal(*TRICKS[:3]))


def test_somebody_at_the_terminal_and_somebody_with_a_file_record_one_table(store: MemoryStore) -> None:
    put(store, HEAD + deal(TRICKS[0]))
    live = LiveTable.resume(store, "t")
    live.record([NewEntry(CardPlayed(seat=0, card="DK"))], by="terminal")
    assert put(store, HEAD + deal(*TRICKS[:2])).events == 2
    live.record([NewEntry(CardPlayed(seat=0, card="H2"))], by="terminal")
    with pytest.raises(ChangedLinesError, match="line 12: was Ann: H2; now Ann: H3"):
        put(store, HEAD + deal(*TRICKS[:2], "H3 H4 HQ"))
    put(store, HEAD + deal(*TRICKS[:3]))
    assert cards(store) == " ".join(TRICKS[:3]).split()


def test_who_is_always_overtaken_is_told_so() -> None:
    class Busy(MemoryStore):
        def append_all(self, batches, *, recorded_by: str) -> list[Acknowledgement]:
            if recorded_by == "test" and self.head().position:
                note(self, f"remark {self.head().position}")
            return super().append_all(batches, recorded_by=recorded_by)

    store = Busy()
    put(store, HEAD + deal(TRICKS[0]))
    with pytest.raises(ConflictError) as refused:
        put(store, HEAD + deal(*TRICKS[:2]))
    assert refused.value.code == "wrong_version"


def test_the_table_is_the_fold_of_what_was_recorded(store: MemoryStore) -> None:
    """Growth adds nothing that the fold would read otherwise than the file in one piece."""
    for count in range(1, 5):
        put(store, HEAD + deal(*TRICKS[:count]))
    at_once = TableFold(list(enumerate(recorded_at_once(HEAD + deal(*TRICKS))["table/t"], 1)))
    assert fold_table(store, "t").match.totals == at_once.match.totals
