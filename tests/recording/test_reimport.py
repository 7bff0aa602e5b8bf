"""Hand records that grow while they are typed and are imported again and again."""

import re
import tomllib
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ledger.errors import ConflictError, MalformedError
from ledger.events import CardPlayed, Corrected, Event, HandsOpened, Noted, ScoreClaimed, TrickGathered
from ledger.log.base import Acknowledgement, Batch, LogStore, NewEntry
from ledger.log.memory import MemoryStore
from ledger.recording.hand.record_writer import TableToWrite, write_hand_record
from ledger.recording.hand.slips import SlipError
from ledger.recording.importing import ImportAs, ImportOptions, ImportReport, import_content
from ledger.recording.live.table import LiveTable
from ledger.recording.reimport import ChangedLinesError
from ledger.table.repository import fold_table
from tests.covering import examples, sample
from tests.hand_records import RECORDS, some_records
from tests.japanese import assert_has_japanese
from tests.recording.slip_makers import GAMES, simulated
from tests.recording.test_slips import KOP

HEAD = 'game = "ombre"\ntable = "t"\nplayers = ["Ann", "Ben", "Cleo"]\n'
SESSION = '[session]\nslug = "s"\ntitle = "Spring"\ndate = 2026-03-20\n'
FIRST = '[[deal]]\ndealer = "Cleo"\ncalls = "entrada pass pass"\ntrump = "S"\nexchange = "3 3 4"\nplay = """\n'
TRICKS = ["SA S4 S3", "DK D6 D3", "H2 H4 HQ", "C2 C3 C4"]
SECOND = '[[deal]]\ncalls = "pass pass pass"\n'
SHEET = "sheet = { deltas = { Ann = 0, Ben = 0, Cleo = 0 } }\n"
ASIDE = (Noted, ScoreClaimed, TrickGathered)
"""Events that stay although the file lacks them."""


def deal(*tricks: str, after: str = "") -> str:
    return FIRST + "\n".join(tricks) + '\n"""\n' + after


def hand_record(events: list[Event]) -> str:
    return write_hand_record(TableToWrite(slug="t", reading=list(enumerate(events, 1)))).text


def put(store: LogStore, text: str, *, dry_run: bool = False, lang: str = "en", **options: Any) -> ImportReport:
    how = {"options": ImportOptions(**options), "dry_run": dry_run, "lang": lang}
    return import_content(store, text.encode(), "sheet.toml", ImportAs(by="test", **how))


def events(store: LogStore, stream: str = "table/t") -> list[Event]:
    """Return the events of a stream without those that show hands at its closing."""
    recorded = [row.event() for row in store.read_stream(stream)]
    return [event for event in recorded if not isinstance(event, HandsOpened)]


def read(store: LogStore) -> list[Event]:
    """Return the events as they are read now."""
    return [event for _, event in fold_table(store, "t").entries if not isinstance(event, HandsOpened)]


def cards(store: LogStore) -> str:
    return " ".join(event.card for event in read(store) if isinstance(event, CardPlayed))


def recorded_at_once(text: str) -> dict[str, list[Event]]:
    whole = MemoryStore()
    put(whole, text)
    return streams(whole)


def streams(store: LogStore) -> dict[str, list[Event]]:
    return {head.stream: events(store, head.stream) for head in store.streams()}


def add(store: LogStore, *added: Event) -> None:
    store.append(Batch("table/t", "any", tuple(map(NewEntry, added))), recorded_by="somebody")


def version_of(store: LogStore, card: str) -> int:
    return next(row.version for row in store.read_stream("table/t") if getattr(row.event(), "card", None) == card)


def correct(store: LogStore, card: str, instead: CardPlayed | None) -> None:
    action = "strike" if instead is None else "replace"
    new = None if instead is None else (instead,)
    add(store, Corrected(version=version_of(store, card), action=action, events=new, reason="misread"))


@pytest.mark.parametrize("game", GAMES)
@examples(4)
@given(seed=st.integers(0, 1_000), chance=st.randoms(use_true_random=False))
def test_a_file_imported_ten_times_as_it_grows_equals_one_import(game: str, seed: int, chance: Random) -> None:
    played = simulated(game, seed, deals=2)
    store = MemoryStore()
    lengths = sorted(chance.sample(range(1, len(played)), min(9, len(played) - 1)))
    reports = [put(store, hand_record(played[:length])) for length in [*lengths, len(played)]]
    assert events(store) == played
    assert sum(report.events for report in reports) == len(played)
    assert not any(report.corrected or report.lacking for report in reports)


@pytest.mark.parametrize("path", some_records(2))
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


def test_a_note_before_lines_that_are_typed_later_is_recognised(store: MemoryStore) -> None:
    put(store, HEAD + deal(TRICKS[0], after='notes = "Ben came late"\n'))
    put(store, HEAD + deal(*TRICKS[:2], after='notes = ["Ben came late", "rain"]\n'))
    recorded = events(store)
    assert recorded.count(Noted(text="Ben came late")) == recorded.count(Noted(text="rain")) == 1
    assert cards(store) == "SA S4 S3 DK D6 D3"


def test_the_session_that_the_file_opened_is_recognised(store: MemoryStore) -> None:
    put(store, HEAD + SESSION + deal(TRICKS[0]))
    assert put(store, HEAD + SESSION + deal(*TRICKS[:2])).events == 3
    assert len(events(store, "session/s")) == 1


def test_a_new_file_still_cannot_open_the_session_of_another(store: MemoryStore) -> None:
    put(store, HEAD + SESSION + deal(TRICKS[0]))
    with pytest.raises(MalformedError, match="the session is already open"):
        put(store, HEAD.replace('"t"', '"u"') + SESSION + deal(TRICKS[0]))


def test_disputes_rulings_and_notes_of_others_are_no_hindrance(store: MemoryStore) -> None:
    put(store, HEAD + deal(TRICKS[0]))
    others = [Noted(text="a look at this card", version=8), Noted(text="the lamp went out")]
    add(store, *others)
    put(store, HEAD + deal(*TRICKS[:2], after='notes = "rain"\n'))
    put(store, HEAD + deal(*TRICKS[:3], after='notes = "rain"\n'))
    assert cards(store) == " ".join(TRICKS[:3])
    assert [event for event in events(store) if isinstance(event, Noted)] == [*others, Noted(text="rain")]


@pytest.mark.parametrize("typed", ["S4", "S5"], ids=["as first written", "as it reads now"])
def test_a_corrected_entry_is_recognised(store: MemoryStore, typed: str) -> None:
    put(store, HEAD + deal(TRICKS[0]))
    correct(store, "S4", CardPlayed(seat=1, card="S5"))
    report = put(store, HEAD + deal(f"SA {typed} S3", TRICKS[1]))
    assert (report.events, report.corrected) == (3, ())
    assert cards(store) == "SA S5 S3 DK D6 D3"


@pytest.mark.parametrize("first", ["SA S4 S3", "SA S4 >Ann"], ids=["still there", "taken out"])
def test_a_struck_entry_is_recognised(store: MemoryStore, first: str) -> None:
    put(store, HEAD + deal("SA S4 S3"))
    correct(store, "S3", None)
    assert put(store, HEAD + deal(first, "Ann: DK")).corrected == ()
    assert cards(store) == "SA S4 DK"


def test_new_lines_follow_from_what_was_corrected(store: MemoryStore) -> None:
    """The file still has the misread card; after the correction Ben won the trick and leads the next one."""
    put(store, HEAD + deal("S3 S4 S5"))
    correct(store, "S4", CardPlayed(seat=1, card="SK"))
    put(store, HEAD + deal("S3 S4 S5", "DK D6 D3"))
    assert [event.seat for event in events(store) if isinstance(event, CardPlayed)][3:] == [1, 2, 0]


def test_a_changed_line_is_shown_as_the_correction_it_would_be_and_refused(store: MemoryStore) -> None:
    put(store, HEAD + deal(*TRICKS[:2]))
    before = store.head()
    with pytest.raises(ChangedLinesError) as refused:
        put(store, HEAD + deal("SA S5 S3", *TRICKS[1:]))
    assert str(refused.value) == (
        "sheet.toml: this file disagrees with the ledger; nothing was recorded; "
        "to record the differences as corrections, add --correct --reason TEXT\n"
        f"  line 10: was Ben: S4; now Ben: S5 (version {version_of(store, 'S4')})"
    )
    assert_has_japanese(refused.value.said, "correct", "reason")
    assert (refused.value.code, refused.value.exit_status, refused.value.values["line"]) == ("forked", 4, 10)
    assert store.head() == before


def test_a_file_that_grows_by_its_hands_alone_is_taken_without_a_reason(store: MemoryStore) -> None:
    put(store, KOP.partition("[deal.hands]")[0])
    put(store, KOP.partition("Cleo = ")[0])
    report = put(store, KOP, lang="ja")
    assert (len(report.corrected), report.events, report.findings) == (1, 1, 0)
    assert put(store, KOP).events == 0
    made = [event for event in events(store, "table/slip") if isinstance(event, Corrected)]
    assert [event.reason for event in made] == ["the hands, recorded later", "後から伝えられた手札"]
    read_now = [event for _, event in fold_table(store, "slip").entries if not isinstance(event, HandsOpened)]
    assert recorded_at_once(KOP) == {"table/slip": read_now}
    with pytest.raises(ChangedLinesError):
        put(store, KOP.replace("HQ SJ DA", "HQ SJ HJ").replace("DQ HJ DJ", "DQ DA DJ"), as_typed=True)


class Watched(MemoryStore):
    """A ledger in which another recorder acts before each append; it counts the entries of each append."""

    def __init__(self) -> None:
        super().__init__()
        self.meanwhile: str | None = None
        self.appended: list[int] = []

    def append_all(self, batches, *, recorded_by: str) -> list[Acknowledgement]:
        if self.meanwhile is not None:
            text, self.meanwhile = self.meanwhile, None
            put(self, text)
        self.appended.append(len(batches))
        return super().append_all(batches, recorded_by=recorded_by)


def test_with_a_reason_it_is_recorded_with_what_is_new_in_one_append() -> None:
    store = Watched()
    put(store, HEAD + deal(*TRICKS[:2]))
    report = put(store, HEAD + deal("SA S5 S3", *TRICKS[1:3]), reason="the 5 was read as a 4")
    assert [(one.line, one.was, one.now) for one in report.corrected] == [
        (10, (CardPlayed(seat=1, card="S4"),), (CardPlayed(seat=1, card="S5"),))
    ]
    assert store.appended == [1, 1]
    assert cards(store) == " ".join(["SA S5 S3", *TRICKS[1:3]])
    assert [event.reason for event in events(store) if isinstance(event, Corrected)] == ["the 5 was read as a 4"]


WHOLE = deal(*TRICKS) + SECOND
CHANGES = tomllib.loads(Path(__file__).with_name("growing.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_line_that_disagrees_is_a_correction(store: MemoryStore, change: dict[str, str]) -> None:
    put(store, change["before"])
    with pytest.raises(ChangedLinesError, match=change["message"]):
        put(store, change["after"])
    put(store, change["after"], reason="misread")
    assert read(store) == recorded_at_once(change["after"])["table/t"]


def test_another_title_of_the_session_is_a_correction_of_the_session(store: MemoryStore) -> None:
    summer = SESSION.replace("Spring", "Summer")
    put(store, HEAD + SESSION + deal(TRICKS[0]))
    with pytest.raises(ChangedLinesError, match=r"line 4: was .*Spring.*; now .*Summer"):
        put(store, HEAD + summer + deal(TRICKS[0]))
    put(store, HEAD + summer + deal(*TRICKS[:2]), reason="it is June")
    assert isinstance(events(store, "session/s")[-1], Corrected)
    assert cards(store) == " ".join(TRICKS[:2])


@examples(12)
@given(data=st.data(), game=st.sampled_from(GAMES), seed=st.integers(0, 200))
def test_the_table_reads_as_the_file_does_whatever_was_changed_in_it(data, game: str, seed: int) -> None:
    played = simulated(game, seed, deals=2)
    changed = list(played)
    places = [place for place, event in enumerate(played) if isinstance(event, CardPlayed)]
    assume(places)
    for place in data.draw(st.lists(st.sampled_from(places), min_size=1, max_size=4, unique=True)):
        other = played[data.draw(st.sampled_from(places))]
        changed[place] = CardPlayed(seat=played[place].seat, card=other.card)  # type: ignore[union-attr]
    store = MemoryStore()
    put(store, hand_record(played[: data.draw(st.integers(places[0], len(played)))]))
    put(store, hand_record(changed), reason="typed again")
    assert read(store) == changed


def as_table_t(path: Path) -> str:
    """Return a record of the project without its session, as the table `t`."""
    text = re.sub(r"(?ms)^\[session\].*?(?=^\[)", "", path.read_text(encoding="utf-8"))
    return re.sub(r"(?m)^table *=.*$", 'table = "t"', text, count=1)


NEIGHBOURS = [(one, other) for one, other in pairwise(RECORDS) if one.parent == other.parent]


@pytest.mark.parametrize("neighbours", sample(NEIGHBOURS, 24), ids=lambda pair: "-".join(path.stem for path in pair))
def test_a_file_may_become_quite_another(neighbours: tuple[Path, Path]) -> None:
    """Changes that no correction can express, e.g. another number of players, are rejected."""
    one, other = map(as_table_t, neighbours)
    store = MemoryStore()
    put(store, one)
    before = store.head()
    try:
        report = put(store, other, reason="another table")
    except (MalformedError, ChangedLinesError) as error:
        assert "with this correction" in str(error)
        assert store.head() == before
        return
    meant = [event for event in recorded_at_once(other)["table/t"] if not isinstance(event, ASIDE)]
    now = [event for event in read(store) if not isinstance(event, ASIDE)]
    assert now[: len(meant)] == meant
    assert len(now) == len(meant) or report.lacking


def test_seats_that_nobody_has_any_more_are_shown_by_their_numbers(store: MemoryStore) -> None:
    four = HEAD.replace('"Cleo"]', '"Cleo", "Dan"]')
    put(store, four + '[[deal]]\ndealer = "Ann"\ncalls = "Dan: pass"\n')
    with pytest.raises(ChangedLinesError, match=r"was 3: pass; now Cleo: pass"):
        put(store, HEAD + '[[deal]]\ndealer = "Ann"\ncalls = "Cleo: pass"\n')


def test_a_slip_in_a_recorded_deal_is_not_reported_again(store: MemoryStore) -> None:
    """H3 is played twice; the deal was recorded as typed."""
    tricks = ["SA S4 S3", "DK D6 D3", "H2 H3 HQ", "C2 C3 H3"]
    assert len(put(store, HEAD + deal(*tricks), as_typed=True).slips) == 1
    grown = HEAD + deal(*tricks, "C4 C5 C6")
    with pytest.raises(SlipError):
        put(store, grown)
    assert len(put(store, grown, as_typed=True).slips) == 1
    assert put(store, grown.replace("[[deal]]\n", "[[deal]]\nas_typed = true\n") + SECOND).slips == ()
    report = put(store, grown + SECOND + SECOND.replace("pass pass pass", "pass pass"), strict=True)
    assert (report.slips, report.deals) == ((), 1)


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


def test_sheets_and_gathered_tricks_missing_in_the_file_stay(store: MemoryStore) -> None:
    put(store, HEAD + deal("SA S4 S3 > Ann", *TRICKS[1:], after=SHEET))
    report = put(store, HEAD + WHOLE)
    assert (report.corrected, report.deals) == ((), 1)
    assert fold_table(store, "t").deal(1).claims


def test_entries_of_another_recorder_are_recognised() -> None:
    store = Watched()
    put(store, HEAD + deal(TRICKS[0]))
    store.meanwhile = HEAD + deal(*TRICKS[:2])
    assert put(store, HEAD + deal(*TRICKS[:3])).events == 3
    assert cards(store) == " ".join(TRICKS[:3])


def test_entries_of_another_recorder_that_disagree_are_shown_and_nothing_is_lost() -> None:
    store = Watched()
    put(store, HEAD + deal(TRICKS[0]))
    store.meanwhile = HEAD + deal(TRICKS[0], "DK D7 D3")
    with pytest.raises(ChangedLinesError, match="line 11: was Ben: D7; now Ben: D6"):
        put(store, HEAD + deal(*TRICKS[:3]))
    assert cards(store) == "SA S4 S3 DK D7 D3"


@pytest.mark.parametrize("begun", [deal(TRICKS[0]), None], ids=["a table that stands", "a new table"])
def test_it_is_no_matter_when_the_other_recorder_comes_between(begun: str | None) -> None:
    class Read(MemoryStore):
        left = 0

        def read_stream(self, stream: str, after_version: int = 0, until_position: int | None = None):
            rows = super().read_stream(stream, after_version, until_position)
            self.left -= 1
            if not self.left:
                put(self, HEAD + deal(*TRICKS[:2]))
            return rows

    for reads in range(1, 6):
        store = Read()
        if begun is not None:
            put(store, HEAD + begun)
        store.left = reads
        put(store, HEAD + deal(*TRICKS[:3]))
        assert streams(store) == recorded_at_once(HEAD + deal(*TRICKS[:3])), reads


def test_somebody_at_the_terminal_and_somebody_with_a_file_record_one_table(store: MemoryStore) -> None:
    put(store, HEAD + deal(TRICKS[0]))
    live = LiveTable.resume(store, "t")
    live.record([NewEntry(CardPlayed(seat=0, card="DK"))], by="terminal")
    assert put(store, HEAD + deal(*TRICKS[:2])).events == 2
    live.record([NewEntry(CardPlayed(seat=0, card="H2"))], by="terminal")
    with pytest.raises(ChangedLinesError, match="line 12: was Ann: H2; now Ann: H3"):
        put(store, HEAD + deal(*TRICKS[:2], "H3 H4 HQ"))
    put(store, HEAD + deal(*TRICKS[:3]))
    assert cards(store) == " ".join(TRICKS[:3])


def test_an_import_that_is_always_overtaken_fails() -> None:
    class Busy(MemoryStore):
        def append_all(self, batches, *, recorded_by: str) -> list[Acknowledgement]:
            if recorded_by == "test" and self.head().position:
                add(self, Noted(text=f"remark {self.head().position}"))
            return super().append_all(batches, recorded_by=recorded_by)

    store = Busy()
    put(store, HEAD + deal(TRICKS[0]))
    with pytest.raises(ConflictError) as refused:
        put(store, HEAD + deal(*TRICKS[:2]))
    assert refused.value.code == "wrong_version"
