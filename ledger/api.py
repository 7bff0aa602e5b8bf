"""The public API: the verbs of the command line as functions. `import ledger` loads it on first use.

Parameters are called like the options. What works on entries takes an open ledger (`store`); what works on its files,
or asks its read model, takes its address (`ledger`). `docs/api.md` goes through it by task. Nothing of the package is
loaded before a function needs it: the command line calls these, and a small command shall not wait for a database.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from datetime import date, datetime
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Literal, TypeAlias, TypeVar

if TYPE_CHECKING:
    from ledger.access.base import Issued, TokenFacts
    from ledger.access.grants import Role
    from ledger.cases.facts import CaseSheet
    from ledger.cases.sheet import sheet_of as case_sheet
    from ledger.events import BareLine, Event, RulingKind
    from ledger.games import rule_named as rule
    from ledger.games.kernel.rulebook import Rule, Rulebook
    from ledger.history import (
        Answer,
        Bounds,
        History,
        HistoryComparison,
        LeagueRules,
        ParquetExport,
        Statistic,
        StatisticAnswer,
        TableDescription,
        statistics,
    )
    from ledger.history.questions.saved import SavedQuestions
    from ledger.history.questions.showing import Showing
    from ledger.log.backup import Copied, Drill, drill, restore
    from ledger.log.base import Head, LogStore
    from ledger.log.checkpoint import Checkpoint
    from ledger.log.cosignature import Witness
    from ledger.log.proof_files import make_keys, read_receipt, read_secret_key
    from ledger.log.receipt import DealReceipt
    from ledger.log.signed_note import PublicKey, SecretKey
    from ledger.log.signing import next_checkpoint as checkpoint
    from ledger.log.stores import create_store as create
    from ledger.log.stores import open_store as open  # noqa: A004 - used as ledger.open
    from ledger.log.verify import Damage, Verification
    from ledger.plots.figures import plots as plot_list
    from ledger.plots.rows import Figures
    from ledger.recording.adding import Added, Addition, Recording
    from ledger.recording.answering import Answered, LineReceipt, LineRefused
    from ledger.recording.correcting import CorrectionAction
    from ledger.recording.exporting import export_hand_record
    from ledger.recording.exporting import export_lines as export
    from ledger.recording.hand.checking import HandRecordCheck
    from ledger.recording.hand.comparison import LeftOut, TablesCompared
    from ledger.recording.hand.layout import LaidOut
    from ledger.recording.hand.record import ToBeAsked
    from ledger.recording.hand.written import WrittenRecord
    from ledger.recording.hands import HiddenDeals, hidden_deals
    from ledger.recording.importing import ImportReport
    from ledger.recording.sessions import SessionAddition
    from ledger.reports.facts import SessionPage
    from ledger.table.answers import AuditAnswer, ReplayAnswer, ScoreAnswer
    from ledger.table.disputes import Dispute, DisputeAtTable
    from ledger.table.listing import PlayerRow, TableRow
    from ledger.table.lookup import TableAsRead
    from ledger.table.people import LinkRow
    from ledger.table.two_readings import TwoReadings
    from ledger.text.pages import case_page
    from ledger.text.pdf import page_pdf as pdf
    from ledger.text.pictures.png import picture_png

Told = TypeVar("Told")

Asked: TypeAlias = "str | Path | History | AbstractContextManager[History]"
"""Whom to ask: a ledger by its address, or its read model (`open_history`), which may be open already."""

_ELSEWHERE: Final[Mapping[str, str]] = {
    "Added": "ledger.recording.adding",
    "Addition": "ledger.recording.adding",
    "Answer": "ledger.history",
    "AuditAnswer": "ledger.table.answers",
    "CaseSheet": "ledger.cases.facts",
    "Checkpoint": "ledger.log.checkpoint",
    "Copied": "ledger.log.backup",
    "Damage": "ledger.log.verify",
    "DealReceipt": "ledger.log.receipt",
    "Dispute": "ledger.table.disputes",
    "DisputeAtTable": "ledger.table.disputes",
    "Drill": "ledger.log.backup",
    "Figures": "ledger.plots.figures",
    "HandRecordCheck": "ledger.recording.hand.checking",
    "History": "ledger.history",
    "HistoryComparison": "ledger.history",
    "ImportReport": "ledger.recording.importing",
    "Issued": "ledger.access.base",
    "LaidOut": "ledger.recording.hand.layout",
    "LeftOut": "ledger.recording.hand.comparison",
    "LineReceipt": "ledger.recording.answering",
    "LineRefused": "ledger.recording.answering",
    "LinkRow": "ledger.table.people",
    "ParquetExport": "ledger.history",
    "PlayerRow": "ledger.table.listing",
    "PublicKey": "ledger.log.signed_note",
    "Recording": "ledger.recording.adding",
    "ReplayAnswer": "ledger.table.answers",
    "Rule": "ledger.games.kernel.rulebook",
    "Rulebook": "ledger.games.kernel.rulebook",
    "ScoreAnswer": "ledger.table.answers",
    "SecretKey": "ledger.log.signed_note",
    "HiddenDeals": "ledger.recording.hands",
    "SessionAddition": "ledger.recording.sessions",
    "hidden_deals": "ledger.recording.hands",
    "SessionPage": "ledger.reports.facts",
    "Statistic": "ledger.history",
    "StatisticAnswer": "ledger.history",
    "TableAsRead": "ledger.table.lookup",
    "TableRow": "ledger.table.listing",
    "TablesCompared": "ledger.recording.hand.comparison",
    "TokenFacts": "ledger.access.base",
    "TwoReadings": "ledger.table.two_readings",
    "Verification": "ledger.log.verify",
    "Witness": "ledger.log.cosignature",
    "WrittenRecord": "ledger.recording.hand.written",
    "case_page": "ledger.text.pages",
    "case_sheet": "ledger.cases.sheet:sheet_of",
    "checkpoint": "ledger.log.signing:next_checkpoint",
    "create": "ledger.log.stores:create_store",
    "drill": "ledger.log.backup",
    "export": "ledger.recording.exporting:export_lines",
    "export_hand_record": "ledger.recording.exporting",
    "make_keys": "ledger.log.proof_files",
    "open": "ledger.log.stores:open_store",
    "pdf": "ledger.text.pdf:page_pdf",
    "picture_png": "ledger.text.pictures.png",
    "plot_list": "ledger.plots.figures:plots",
    "read_receipt": "ledger.log.proof_files",
    "read_secret_key": "ledger.log.proof_files",
    "restore": "ledger.log.backup",
    "rule": "ledger.games:rule_named",
    "statistics": "ledger.history",
}
"""What is public as it stands in its room: the module, and the name there where it is another one."""


def __getattr__(name: str) -> Any:
    module, _, name_there = _ELSEWHERE.get(name, "").partition(":")
    if not module:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(module), name_there or name)
    return value


# --- recording --------------------------------------------------------------------------------------------------------


def import_file(
    store: LogStore,
    file: str | Path | BinaryIO,
    recording: Recording,
    *,
    strict: bool = False,
    as_typed: bool = False,
    correct: bool = False,
    reason: str | None = None,
    follow: Answered | None = None,
    prefix: str = "",
    name: str = "standard input",
    progress: Callable[[int], None] | None = None,
    ask: ToBeAsked | None = None,
    lang: str = "en",
    shows_hands: bool = True,
) -> ImportReport:
    """Records the events of a file, all or nothing: a hand record, bare events, an export, or another ledger.

    Of a hand record whose table is recorded already, only what is new: where it tells otherwise what stands there, that
    is refused, or with `correct` recorded as corrections with their `reason`. With `recording.dry_run` nothing is
    stored, and the report says in `lang` what would be, corrections included.

    `follow`: lines of an open file are recorded as they come, each for itself; it is told the receipt or the refusal of
    each. `prefix`: put before the names of all tables and sessions of lines or of another ledger. `name` is what
    messages call a file that is open already; `progress` is told how many events have been read.
    `ask` is asked what to do about a line of a hand record that cannot be as it was typed; without it the file is
    refused, unless `as_typed`.
    `shows_hands`: where a table or a session is closed, hands of deals that are over are shown to everybody.
    Of `recording` only `by` and `dry_run` can be said: raises `MalformedError` for more, and as it stands in
    `import_content`.
    """
    from ledger.errors import MalformedError
    from ledger.recording.adding import Recording
    from ledger.recording.answering import import_lines
    from ledger.recording.files import import_path
    from ledger.recording.importing import import_content
    from ledger.recording.words import phrase

    by, dry_run = recording.by, recording.dry_run
    if recording != Recording(by=by, dry_run=dry_run):
        raise MalformedError(phrase("import.only_by"), phrase("import.by_alone"))
    if correct and not (reason or "").strip():
        raise MalformedError(phrase("changed.no_reason"), phrase("changed.reason"))
    if reason is not None and not correct:
        raise MalformedError(phrase("changed.reason_alone"), phrase("changed.correct"))
    if follow is not None:
        if isinstance(file, str | Path) or correct or dry_run:
            raise MalformedError(phrase("import.follow_more"), phrase("import.follow_alone"))
        return import_lines(store, file, name, recorded_by=by, strict=strict, lang=lang, answered=follow)
    if prefix:
        from ledger.recording.files import import_prefixed
        from ledger.recording.importing import ImportAs

        how = ImportAs(by=by, strict=strict, dry_run=dry_run, lang=lang)
        if isinstance(file, str | Path):
            return import_prefixed(store, Path(file), str(file), prefix, how, progress)
        return import_prefixed(store, file, name, prefix, how)
    if isinstance(file, str | Path):
        return import_path(
            store,
            Path(file),
            recorded_by=by,
            strict=strict,
            as_typed=as_typed,
            reason=reason,
            dry_run=dry_run,
            progress=progress,
            ask=ask,
            lang=lang,
        )
    return import_content(
        store,
        file,
        name,
        recorded_by=by,
        strict=strict,
        as_typed=as_typed,
        reason=reason,
        dry_run=dry_run,
        progress=progress,
        ask=ask,
        lang=lang,
        shows_hands=shows_hands,
    )


def correct(
    store: LogStore,
    table: str,
    action: CorrectionAction | Literal["deal"],
    words: str | Sequence[Event] | None = None,
    *,
    version: int | None = None,
    deal: int | None = None,
    step: int | None = None,
    file: str | Path | None = None,
    reason: str,
    confirm: bool = False,
    keep_seats: bool = False,
    recording: Recording,
    names: Mapping[str, str] | None = None,
    lang: str = "en",
) -> Added:
    """Adds how an entry is to be read: named by version, or by deal and step, else the last one.

    `words`: those of a hand record, or the events themselves. `names`: what is shown for players, by their names in
    the record; either may be said. With `recording.dry_run` it is only shown what would change. A dispute or ruling is
    corrected only with `confirm`; without, `UsageError` names the better way. Cards played later in the deal go to
    those who are then in turn, where they were in turn before and less is broken so, unless `keep_seats`.

    The action `deal` replaces a whole deal by the one `[[deal]]` of a hand record, `file`.
    """
    from ledger.errors import UsageError
    from ledger.recording.adding import add_events
    from ledger.recording.correcting import Named, deals_at
    from ledger.recording.correcting_deal import deal_correction
    from ledger.recording.files import hand_record_text
    from ledger.recording.moved_seats import corrections_of
    from ledger.recording.words import phrase
    from ledger.table.lookup import slug_of

    if action == "deal":
        if deal is None or file is None:
            raise UsageError("usage", phrase("correction.deal_and_file"))
        text, number = hand_record_text(Path(file)), deal
        return add_events(
            store,
            table,
            lambda fold: deal_correction(fold, slug_of(table), number, text, str(file), reason),
            recording,
            deals=lambda fold: (number,),
            names=names,
            lang=lang,
        )
    named, one = Named(version=version, deal=deal, step=step), action
    is_meant = confirm or recording.dry_run
    return add_events(
        store,
        table,
        lambda fold: corrections_of(
            fold, slug_of(table), named, one, words, reason, is_meant=is_meant, keep_seats=keep_seats
        ),
        recording,
        deals=lambda fold: deals_at(fold, named.place(fold)),
        names=names,
        lang=lang,
    )


def dispute(
    store: LogStore,
    table: str,
    text: str,
    *,
    deal: int | None = None,
    player: str | int | None = None,
    version: int | None = None,
    step: int | None = None,
    appeals: int | None = None,
    recording: Recording,
    names: Mapping[str, str] | None = None,
    lang: str = "en",
) -> Added:
    """Raises a dispute about a deal, or about one entry of it, named by version or step, or as an appeal.

    `appeals`: the version of the ruling that it is an appeal against; then no `deal` need be named. `names` as in
    `correct`.
    """
    from ledger.recording import directing
    from ledger.recording.adding import add_event

    return add_event(
        store,
        table,
        lambda fold: directing.dispute(fold, deal, text, player=player, version=version, step=step, appeals=appeals),
        recording,
        names=names,
        lang=lang,
    )


def ruling(
    store: LogStore,
    table: str,
    kind: RulingKind,
    text: str,
    *,
    deal: int,
    rule: str | None = None,
    deltas: str | Sequence[int] | None = None,
    pool: int | None = None,
    award: str | Mapping[str, Any] | None = None,
    dispute: int | None = None,
    recording: Recording,
    names: Mapping[str, str] | None = None,
    lang: str = "en",
) -> Added:
    """Rules on a deal; `deltas` by seat, or in words by name; `names` as in `correct`.

    With `recording.dry_run` it is only shown what would change.
    """
    from ledger.recording import directing
    from ledger.recording.adding import add_event

    return add_event(
        store,
        table,
        lambda fold: directing.ruling(
            fold, deal, kind, text, rule=rule, deltas=deltas, pool=pool, award=award, dispute=dispute
        ),
        recording,
        deals=lambda fold: (deal,),
        names=names,
        lang=lang,
    )


def form(
    table: str,
    *,
    game: str,
    players: Sequence[str],
    deals: int = 1,
    dealer: str | None = None,
    options: Mapping[str, Any] | None = None,
    session: str | None = None,
    lang: str = "en",
) -> str:
    """An empty hand record for a table, to type into; comments are in the language.

    `players` in the order of play; `dealer` deals first, by default the last of them. Raises `MalformedError` for what
    no table can have.
    """
    from ledger.recording.hand.form import empty_form

    return empty_form(table, game, players, deals=deals, options=options, dealer=dealer, session=session, lang=lang)


def check(file: str | Path | BinaryIO, *, name: str = "standard input", lang: str = "en") -> HandRecordCheck:
    """What an import of a hand record would record, what it scores, and what is against the rules, by line and word.

    `name` is what is told as the name of a file that is open already. Raises `MalformedError` with file and line.
    """
    from ledger.recording.hand.checking import checked, told_by_file

    return checked(told_by_file(file, str(file) if isinstance(file, str | Path) else name), lang)


def compare(
    first: str | Path, second: str | Path, *, store: LogStore | None = None, lang: str = "en"
) -> TablesCompared:
    """Where two records of one table part, deal by deal, and what either comes to by the rules.

    Each is a hand record by the name of its file or, where there is no such file, a table of the ledger, which `store`
    must then be. Raises `NotFoundError` for what is neither, `MalformedError` for a file that cannot be understood.
    """
    from ledger.recording.hand.checking import told_by_either
    from ledger.recording.hand.comparison import compared_tables

    return compared_tables(told_by_either(first, store), told_by_either(second, store), lang)


def fmt(file: str | Path | BinaryIO, *, name: str = "standard input") -> LaidOut:
    """A hand record in the one layout: what it tells and all its comments stay.

    `name` as in `check`. Raises `MalformedError` with file and line.
    """
    from ledger.recording.hand.layout import layout_of

    return layout_of(file, str(file) if isinstance(file, str | Path) else name)


def close_table(
    store: LogStore,
    table: str,
    *,
    reason: str | None = None,
    recording: Recording,
    names: Mapping[str, str] | None = None,
    lang: str = "en",
) -> Added:
    """Closes a table: what its end pays out is paid, and a deal in progress stays unfinished; `names` as in `correct`.

    The hands of deals that ended before their last card are shown to everybody from then on.

    Raises `MalformedError` where it is closed already. `correct(…, "strike")` takes it back.
    """
    from ledger.recording import directing
    from ledger.recording.adding import add_events

    return add_events(store, table, lambda fold: directing.closing(fold, reason), recording, names=names, lang=lang)


def seat(
    store: LogStore,
    table: str,
    seat: str | int,
    player: str,
    *,
    recording: Recording,
    names: Mapping[str, str] | None = None,
    lang: str = "en",
) -> Added:
    """Seats a player for the one in a seat, named by its number or by who sits there; `names` as in `correct`.

    Raises `ConflictError` in the middle of a deal. `correct(…, "strike")` takes it back.
    """
    from ledger.recording import directing
    from ledger.recording.adding import add_event

    shown = names or {}
    return add_event(
        store,
        table,
        lambda fold: directing.seating(fold, seat, player, shown),
        recording,
        names=names,
        lang=lang,
    )


def note(
    store: LogStore,
    table: str,
    text: str,
    *,
    deal: int | None = None,
    step: int | None = None,
    version: int | None = None,
    player: str | int | None = None,
    recording: Recording,
    names: Mapping[str, str] | None = None,
    lang: str = "en",
) -> Added:
    """Notes something at a table: about an entry, named by version, or by deal and step, and about a player, if told.

    `names` as in `correct`.
    """
    from ledger.recording import directing
    from ledger.recording.adding import add_event
    from ledger.recording.correcting import Named

    named = Named(version=version, deal=deal, step=step)
    return add_event(
        store, table, lambda fold: directing.note(fold, text, named, player), recording, names=names, lang=lang
    )


def note_session(store: LogStore, session: str, text: str, *, recording: Recording) -> SessionAddition:
    """Notes something about a session; raises `NotFoundError` for one that there is not."""
    from ledger.recording import sessions

    return sessions.add_to_session(store, session, sessions.noting(text), recording)


def open_session(
    store: LogStore,
    session: str,
    *,
    title: str,
    date: date | str,
    club: str | None = None,
    place: str | None = None,
    zone: str | None = None,
    recording: Recording,
) -> SessionAddition:
    """Opens a session; `zone`: the IANA name of the time zone in which its times are shown.

    Raises `MalformedError` where it was opened before.
    """
    from ledger.recording import sessions

    fields = {"title": title, "date": str(date), "club": club, "place": place, "zone": zone}
    return sessions.add_to_session(store, session, sessions.opening(fields), recording, is_opening=True)


def amend_session(
    store: LogStore,
    session: str,
    *,
    title: str | None = None,
    date: date | str | None = None,
    club: str | None = None,
    place: str | None = None,
    zone: str | None = None,
    reason: str,
    recording: Recording,
) -> SessionAddition:
    """Corrects what a session says of itself: the fields that are told; an empty text empties one that may be.

    Raises `MalformedError` where nothing would change.
    """
    from ledger.recording import sessions

    day = None if date is None else str(date)
    fields = {"title": title, "date": day, "club": club, "place": place, "zone": zone}
    return sessions.add_to_session(store, session, sessions.amendment(fields, reason), recording)


def close_session(store: LogStore, session: str, *, confirm: bool = False, recording: Recording) -> SessionAddition:
    """Closes a session. Where tables of it are open, only with `confirm`; without, `UsageError` names them."""
    from ledger.recording import sessions

    left_open = sessions.open_tables(store, session)
    make = sessions.closing(session, left_open, is_meant=confirm or recording.dry_run)
    return sessions.add_to_session(store, session, make, recording, open_tables=left_open)


def open_hands(store: LogStore, tables: Sequence[str] = (), *, recording: Recording) -> list[HiddenDeals]:
    """Shows everybody the hands of deals that have ended and are hidden still; answers at which tables.

    `tables`: those that are looked at, all where none is named. Raises `NotFoundError` for a table that is not there.
    """
    from ledger.recording import hands

    return hands.open_hands(store, tables, recording)


def reopen_session(store: LogStore, session: str, *, reason: str, recording: Recording) -> SessionAddition:
    """Takes the closing of a session back, by a correction; raises `MalformedError` where it is open."""
    from ledger.recording import sessions

    return sessions.add_to_session(store, session, sessions.reopening(reason), recording)


def correct_session(
    store: LogStore,
    session: str,
    action: CorrectionAction,
    words: str | Sequence[Event] | None = None,
    *,
    version: int | None = None,
    reason: str,
    recording: Recording,
) -> SessionAddition:
    """Adds how an entry of a session is to be read, named by version, else the last one.

    `words`: those of a note, events as JSON, or the events themselves.
    """
    from ledger.recording import sessions

    make = sessions.correcting(action, words, version=version, reason=reason)
    return sessions.add_to_session(store, session, make, recording)


def simulate(
    game: str = "ombre",
    *,
    tables: int = 1,
    deals: int = 9,
    players: int | None = None,
    seed: int = 1,
    options: Mapping[str, Any] | None = None,
    slug: str = "simulated",
    session: str | None = None,
    lang: str = "en",
) -> Iterator[BareLine]:
    """Random tables by legal play, as lines to import; the same seed makes the same tables.

    `players`: how many sit at each table; by default the fewest of the game. Where a match was over before so many
    deals, the reason of `table_closed` says so, in the language. Raises `MalformedError` for a game, for
    options and for a number of players that there are not.
    """
    from ledger.events import BareLine
    from ledger.games import game_named
    from ledger.recording.simulate import PLAYERS, own_number
    from ledger.recording.simulate import simulate as simulated

    played, chosen = game_named(game), options or {}
    seats = players or own_number(played, chosen) or own_number(played, {})  # of wrong options it is told below
    made = simulated(
        played, PLAYERS[:seats], chosen,
        tables=tables, deals=deals, seed=seed, slug=slug, session=session, lang=lang,
    )  # fmt: skip
    return (BareLine(stream=stream, event=event) for stream, event in made)


def simulate_evenings(
    evenings: int,
    first: date,
    *,
    players: Path | None = None,
    games: Sequence[str] | None = None,
    deals: int = 9,
    seed: int = 1,
    options: Mapping[str, Any] | None = None,
    slug: str = "simulated",
    lang: str = "en",
) -> Iterator[BareLine]:
    """Years of a club, an evening a week from the `first` day on, as lines to import; the same for a seed.

    `players`: a file with one name a line, as `Ben; counting; 0.8` (how he plays, on which share of evenings); without
    it a club of 24. `games`: all that there are unless named; `deals`: at each table. Evenings are named
    `<slug>-<day>`, their tables `<slug>-<day>-<n>`. What people say in it is in the language. Raises `MalformedError`
    for a file, a game and options that there are not, or as `outside.opened` where the file cannot be read.
    """
    from random import Random

    from ledger.games import game_named, registered_games
    from ledger.recording.seasons.members import invented, read_members
    from ledger.recording.seasons.season import Club, season_of

    chance = Random(f"{seed} {slug}")
    club = Club(
        members=invented(chance) if players is None else read_members(players, chance),
        games=[game_named(name) for name in games or registered_games()],
        first=first,
        deals=deals,
        seed=seed,
        slug=slug,
        options=options or {},
        lang=lang,
    )
    return season_of(club, evenings)


def name_player(ledger: str | Path, player: str, name: str) -> None:
    """Shows this name for a player, whose name in the record stays.

    Raises `NotFoundError` for a player whom the record does not know, `ConflictError` for the name of another one.
    """
    from ledger.log import open_store
    from ledger.table.listing import check_display_name

    with open_store(ledger, access="allowed") as store:
        check_display_name(store, player, name)  # before it is opened to write: where that fails, too, mend this first
    with open_store(ledger) as store:
        store.set_display_name(player, name)


def forget_name(ledger: str | Path, player: str) -> None:
    """Erases the name that is shown for a player; raises `NotFoundError` where there is none."""
    from ledger.log import open_store

    with open_store(ledger) as store:
        store.erase_display_name(player)


def link_players(ledger: str | Path, spelling: str, player: str) -> None:
    """From now on a spelling of the record is the same person as `player`; the record stays as it is.

    Raises `NotFoundError` for somebody whom the record does not know, `ConflictError` for two who sat at one table
    together, for two who are one already, and for a spelling that is linked to somebody else.
    """
    from ledger.log import open_store
    from ledger.table.people import check_link

    with open_store(ledger, access="allowed") as store:
        check_link(store, spelling, player)
    with open_store(ledger) as store:
        store.link_player(spelling, player)


def unlink_player(ledger: str | Path, spelling: str) -> None:
    """Takes a link back; raises `NotFoundError` where there is none."""
    from ledger.log import open_store

    with open_store(ledger) as store:
        store.unlink_player(spelling)


def hide_player(ledger: str | Path, player: str) -> None:
    """From now on others see initials in the place of a player: in rankings, plots and reports, not at his tables.

    Raises `NotFoundError` for somebody whom the record does not know, `ConflictError` where he is hidden already.
    """
    from ledger.log import open_store
    from ledger.table.people import check_player

    with open_store(ledger, access="allowed") as store:
        check_player(store, player)
    with open_store(ledger) as store:
        store.hide_player(player)


def show_player(ledger: str | Path, player: str) -> None:
    """Takes that back; raises `NotFoundError` where he is not hidden."""
    from ledger.log import open_store

    with open_store(ledger) as store:
        store.show_player(player)


# --- tokens of the service ------------------------------------------------------------------------------------------


def add_token(
    ledger: str | Path,
    id: str,
    *,
    role: Role,
    tables: Sequence[str] | None = None,
    seat: int | None = None,
    hands: bool = False,
    may_open: bool = False,
    expires: datetime | None = None,
    url: str | None = None,
) -> Issued:
    """Gives out a token for the service of a ledger, shown this once; with `url` also the link to sign in by.

    `tables`: None means all; `expires`: None means never. Raises `MalformedError` for rights that no token can have,
    `ConflictError` for an id that was used before.
    """
    from ledger.access.base import NewToken
    from ledger.access.stores import open_access
    from ledger.log.append_rules import timestamp

    new = NewToken(
        id=id,
        role=role,
        tables=None if tables is None else tuple(tables),
        seat=seat,
        hands=hands,
        may_open=may_open,
        expires_at=None if expires is None else timestamp(expires),
    )
    with closing(open_access(ledger)) as access:
        return _linked(lambda: access.add_token(new), url)


def add_code(
    ledger: str | Path,
    id: str | None = None,
    *,
    tables: Sequence[str],
    until: datetime,
    role: Literal["viewer", "recorder"] = "recorder",
    may_open: bool = False,
    url: str | None = None,
) -> Issued:
    """Gives out a code of eight digits, by which the phones at these tables sign in until a moment.

    Without an `id` it is called `code-1`, `code-2`, …. Raises as `add_token`.
    """
    from ledger.access.base import NewCode
    from ledger.access.stores import open_access
    from ledger.log.append_rules import timestamp

    new = NewCode(id=id, tables=tuple(tables), until=timestamp(until), role=role, may_open=may_open)
    with closing(open_access(ledger)) as access:
        return _linked(lambda: access.add_code(new), url)


def _linked(issue: Callable[[], Issued], url: str | None) -> Issued:
    """What is given out, with its link; an address that is none is told before."""
    from msgspec.structs import replace

    from ledger.access.tokens import checked_url, sign_in_link

    if url is None:
        return issue()
    checked_url(url)
    issued = issue()
    return replace(issued, link=sign_in_link(url, issued.secret))


def list_tokens(ledger: str | Path) -> list[TokenFacts]:
    """All tokens and codes that were given out, revoked ones, too; the oldest first, and none with its secret."""
    from ledger.access.stores import open_access

    with closing(open_access(ledger)) as access:
        return access.tokens()


def revoke_token(ledger: str | Path, id: str) -> TokenFacts:
    """Ends a token or code at once, with all who signed in by it; raises `NotFoundError` where there is none."""
    from ledger.access.stores import open_access

    with closing(open_access(ledger)) as access:
        return access.revoke(id)


def token_clock_ahead(ledger: str | Path) -> str | None:
    """Return the moment that the ends of tokens are counted from where this machine's clock is well behind it.

    The clock once showed that moment. None where both agree.
    """
    from ledger.access.stores import open_access

    with closing(open_access(ledger)) as access:
        return access.clock_ahead()


def reset_token_clock(ledger: str | Path) -> list[TokenFacts]:
    """Count the ends of tokens by this machine's clock again; return what `list_tokens` returns.

    What ended only because the clock once showed a later moment opens again, also for a service that is running.
    """
    from ledger.access.stores import open_access

    with closing(open_access(ledger)) as access:
        access.reset_clock()
        return access.tokens()


def qr_picture(text: str, form: Literal["text", "svg", "png"] = "text") -> bytes:
    """A QR code of a text, such as a link to sign in by; as text to be shown dark on light.

    Raises `NotFoundError` where the extra `serve` is missing."""
    from ledger.text.qr import qr_lines, qr_png, qr_svg

    match form:
        case "svg":
            return qr_svg(text)
        case "png":
            return qr_png(text)
        case _:
            return "".join(f"{line}\n" for line in qr_lines(text)).encode()


# --- reading tables ---------------------------------------------------------------------------------------------------


def tables(
    store: LogStore,
    *,
    session: str | None = None,
    player: str | None = None,
    game: str | None = None,
    state: Literal["open", "over", "closed"] | None = None,
    names: Mapping[str, str] | None = None,
) -> list[TableRow]:
    """The tables with players, deals and totals, as they were opened: all, or those that fit.

    `names` as in `read_tables`. Raises `NotFoundError` for a session or player that the ledger does not have.
    """
    from ledger.table.listing import TableFilter, table_rows
    from ledger.table.lookup import asked_reading

    wanted = TableFilter(session=session, player=player, game=game, state=state)
    return list(table_rows(store, asked_reading(store, names=names), wanted))


def players(store: LogStore) -> list[PlayerRow]:
    """All players of the record, at how many tables each sat, and which name is shown for whom; linked spellings as one
    person.
    """
    from ledger.table.listing import player_rows
    from ledger.table.people import persons_of

    people = store.people()
    return list(player_rows(persons_of(store, people), people))


def player_links(store: LogStore) -> list[LinkRow]:
    """Which spellings of the record are the same person as another one, and at which tables that does not count."""
    from ledger.table.people import link_rows

    return link_rows(store)


def read_tables(
    store: LogStore,
    table: str | None = None,
    *,
    session: str | None = None,
    as_recorded: bool = False,
    as_of: str | int | datetime | None = None,
    without_rulings: bool = False,
    names: Mapping[str, str] | None = None,
) -> Iterator[TableAsRead]:
    """The table, or one after the other all of them or those of a session, read once for several questions.

    Each verb takes what comes here in the place of a table's name, and leaves it in its reading.

    `as_recorded`: as first written, without corrections. `as_of`: as the record stood at a position or moment.
    `without_rulings`: by the rules alone. `names`: what to show for players, by their names in the record, for example
    `store.display_names()`. Raises `NotFoundError` naming the tables, sessions or positions that there are.
    """
    from ledger.table.lookup import TableAsRead, asked_reading, fold_table, fold_tables, known_session, slug_of

    reading = asked_reading(store, as_recorded=as_recorded, as_of=as_of, without_rulings=without_rulings, names=names)
    if table is None:
        of_session = None if session is None else known_session(store, session)
        for slug, fold in fold_tables(store, reading):
            if of_session in (None, fold.opened.session):
                yield TableAsRead(slug, fold)
    else:
        yield TableAsRead(slug_of(table), fold_table(store, table, reading))


def _read(store: LogStore, table: str | TableAsRead, **reading: Any) -> TableAsRead:
    """The table, where it was not read already; then it stays in the reading that it has."""
    return next(read_tables(store, table, **reading)) if isinstance(table, str) else table


def replay(
    store: LogStore,
    table: str | TableAsRead,
    deal: int | None = None,
    step: int | None = None,
    seat: str | int | None = None,
    *,
    as_recorded: bool = False,
    as_of: str | int | datetime | None = None,
    names: Mapping[str, str] | None = None,
) -> ReplayAnswer:
    """The state of a deal, by default the last, after `step` of its actions, by default all of them.

    `seat`: only what that seat could know, by its number or by the name of who sits there. The reading is as in
    `read_tables`.
    """
    from ledger.table.steps import replay_answer, replay_state, seat_named

    read = _read(store, table, as_recorded=as_recorded, as_of=as_of, names=names)
    number = read.deal_or_last(deal)
    named = seat_named(read.fold.deal(number).players, number, seat)
    return replay_answer(read.slug, number, replay_state(read.fold, number, step, named))


def replay_all(
    store: LogStore,
    table: str | TableAsRead,
    deal: int | None = None,
    seat: str | int | None = None,
    *,
    as_recorded: bool = False,
    as_of: str | int | datetime | None = None,
    names: Mapping[str, str] | None = None,
) -> Iterator[ReplayAnswer]:
    """Every state of a deal, from before it started; else as `replay`."""
    from ledger.table.steps import replay_answer, replay_steps, seat_named

    read = _read(store, table, as_recorded=as_recorded, as_of=as_of, names=names)
    number = read.deal_or_last(deal)
    named = seat_named(read.fold.deal(number).players, number, seat)
    return (replay_answer(read.slug, number, step) for step in replay_steps(read.fold, number, named))


def table_picture(
    store: LogStore,
    table: str | TableAsRead,
    deal: int | None = None,
    step: int | None = None,
    seat: str | int | None = None,
    *,
    below: str | int | None = None,
    as_recorded: bool = False,
    as_of: str | int | datetime | None = None,
    names: Mapping[str, str] | None = None,
    lang: str = "en",
) -> str:
    """The table from above as SVG, at the step that `replay` answers for the same words.

    `below`: who sits at the bottom of the picture, by default the `seat` that sees it, else the first.
    """
    from ledger.table.steps import seat_named
    from ledger.text.pictures.moment import moment_at
    from ledger.text.pictures.table import table_svg

    read = _read(store, table, as_recorded=as_recorded, as_of=as_of, names=names)
    number = read.deal_or_last(deal)
    players = read.fold.deal(number).players
    sees, sits = seat_named(players, number, seat), seat_named(players, number, below)
    return table_svg(moment_at(read.fold, number, step, lang, seat=sees, below=sits))


def readings(
    store: LogStore,
    table: str | TableAsRead,
    deal: int | None = None,
    *,
    as_of: str | int | datetime | None = None,
    names: Mapping[str, str] | None = None,
    lang: str = "en",
) -> TwoReadings:
    """A deal, by default the last, as first written and as corrected, entry by entry."""
    from ledger.table.two_readings import two_readings

    read = _read(store, table, as_of=as_of, names=names)
    return two_readings(read.slug, read.fold, read.deal_or_last(deal), lang)


def score(
    store: LogStore,
    table: str | TableAsRead,
    deal: int | None = None,
    *,
    as_recorded: bool = False,
    as_of: str | int | datetime | None = None,
    without_rulings: bool = False,
    names: Mapping[str, str] | None = None,
    lang: str = "en",
) -> ScoreAnswer:
    """The score sheet of a table, or of one of its deals, every payment with its rule.

    The reading is as in `read_tables`; totals are those of the table, also where only a `deal` is asked for.
    """
    from ledger.table.score import score_answer

    read = _read(store, table, as_recorded=as_recorded, as_of=as_of, without_rulings=without_rulings, names=names)
    return score_answer(read.slug, read.fold, lang, deal=deal)


def audit(
    store: LogStore,
    table: str | TableAsRead,
    *,
    as_recorded: bool = False,
    as_of: str | int | datetime | None = None,
    names: Mapping[str, str] | None = None,
    lang: str = "en",
) -> AuditAnswer:
    """What in a table was against the rules; the reading is as in `read_tables`."""
    from ledger.table.audit import audit_answer

    read = _read(store, table, as_recorded=as_recorded, as_of=as_of, names=names)
    return audit_answer(read.slug, read.fold, lang)


def open_disputes(store: LogStore, *, names: Mapping[str, str] | None = None) -> list[DisputeAtTable]:
    """The disputes of all tables that no ruling decided, in the order in which the tables were opened."""
    from ledger.table.disputes import disputes_at

    reads = read_tables(store, names=names)
    return [one for read in reads for one in disputes_at(read) if one.state == "open"]


def disputes(
    store: LogStore, table: str | TableAsRead, deal: int | None = None, *, names: Mapping[str, str] | None = None
) -> list[Dispute]:
    """The disputes of a table, or of one of its deals, and what became of them."""
    from ledger.table.disputes import disputes_of

    return [one for one in disputes_of(_read(store, table, names=names).fold) if deal in (None, one.deal)]


# --- files, proofs, backups -------------------------------------------------------------------------------------------


def verify(
    ledger: LogStore | str | Path,
    *,
    consistent_with: Checkpoint | None = None,
    key: PublicKey | None = None,
    head: Head | None = None,
    accept_rollback: str | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Verification:
    """Reads every byte of the ledger again and checks the chain; names the first damaged position.

    The ledger must also continue the checkpoint that it is to be `consistent_with`, and the head that somebody wrote
    down earlier (`head`): only with one of them can be told that its end was cut off, or that it was written anew.
    With the `key` of that checkpoint, two ledgers of one size that it has signed are named, where the other checkpoint
    lies beside the ledger. A ledger that lacks an entry which it had when it was last written to here, or signed by the
    checkpoint beside it, is damaged (`is_rolled_back`), unless it is kept for a reason (`accept_rollback`). Raises
    `UsageError` where there is nothing to accept, `UnreadableError` where there is no ledger to check; one that can be
    read in part, or not at all, is damaged.
    """
    from ledger.log.growth import verify_growth

    return verify_growth(
        ledger,
        witness=head,
        signed=consistent_with,
        key=key,
        accept_rollback=accept_rollback,
        progress=progress,
    )


def verify_receipt(
    receipt: DealReceipt,
    key: PublicKey,
    *,
    consistent_with: Checkpoint | None = None,
    witness: Sequence[Witness] = (),
    threshold: int | None = None,
) -> Damage | None:
    """What is wrong with a receipt, for which no ledger is needed; None where it proves what it says.

    It must also prove that the ledger continues the checkpoint that it is to be `consistent_with`, and its own must be
    cosigned by so many (`threshold`, all by default) of the witnesses.
    """
    from ledger.log.signing import fault_of_receipt

    return fault_of_receipt(receipt, key, consistent_with, witness, _asked(witness, threshold))


def read_checkpoint(
    file: str | Path, key: PublicKey | None = None, *, witness: Sequence[Witness] = (), threshold: int | None = None
) -> Checkpoint:
    """The checkpoint of a file, or that of a receipt.

    Raises `MalformedError` where it is none, where it was not signed with `key`, and where fewer of the witnesses than
    `threshold` (by default all) have cosigned it: then it proves nothing.
    """
    from ledger.log.proof_files import read_checkpoint as read

    return read(Path(file), key, witness, _asked(witness, threshold))


def _asked(witnesses: Sequence[Witness], threshold: int | None) -> int:
    return len(witnesses) if threshold is None else threshold


def cosign(store: LogStore, checkpoint: Checkpoint, key: SecretKey, last: Checkpoint | None = None) -> Checkpoint:
    """The checkpoint, cosigned as of now by a witness who holds `key` and has the ledger before him.

    Raises `ConflictError` where it is no tree of this ledger, or does not continue the `last` one that he cosigned, and
    `UnreadableError` where the ledger is damaged.
    """
    from datetime import UTC

    from ledger.log.signing import cosign as cosigned

    return cosigned(store, checkpoint, key, last, now=datetime.now(UTC))


def read_witness(file: str | Path) -> Witness:
    """The witness whose public key is in a file; raises `MalformedError` where it is none."""
    from ledger.log.proof_files import read_witness as read

    return read(Path(file))


def receipt(
    store: LogStore, table: str, deal: int, checkpoint: Checkpoint, since: Checkpoint | None = None
) -> DealReceipt:
    """The proof of a deal by a checkpoint; with `since`, that the ledger has only grown since that older one, too.

    Raises `NotFoundError` for a table or deal that the checkpoint does not cover, and `ConflictError` where the ledger
    is not the one that was signed, or did not grow from `since`.
    """
    from ledger.recording.receipting import deal_receipt

    return deal_receipt(store, table, deal, checkpoint, None if since is None else since.tree)


def backup(
    ledger: str | Path,
    target: str | Path | None = None,
    *,
    overwrite: bool = False,
    progress: Callable[[str, int, int], object] | None = None,
) -> Copied:
    """Copies a ledger, which may be in use, and reads the copy back before it gets its name.

    `target`: a file or a folder; by default that of the ledger, where the copy is named by day and time (UTC). Raises
    `ConflictError` where the copy exists, `UnreadableError` where the ledger or its copy is damaged.
    """
    from datetime import UTC

    from ledger.log.backup import back_up
    from ledger.log.paths import backup_name
    from ledger.log.stores import file_of

    path = file_of(ledger)
    place = path.parent if target is None else Path(target)
    if place.is_dir():
        place /= backup_name(path, datetime.now(UTC))
    return back_up(path, place, overwrite=overwrite, progress=progress)


# --- the history ------------------------------------------------------------------------------------------------------


@contextmanager
def open_history(
    ledger: str | Path,
    *,
    history: str | Path | None = None,
    rebuild: bool = False,
    progress: Callable[[int, int], None] | None = None,
    workers: int = 1,
    tz: str | None = None,
) -> Iterator[History]:
    """The read model of a ledger, level with it, open for several questions, all as of the same entry.

    It is made where there is none, in the file `history`, which lies beside the ledger by default or, where its folder
    cannot be written to, in the user's cache. `rebuild`: make it anew. With more `workers` than one, many new entries
    are read in so many processes; a program then needs the guard `if __name__ == "__main__"`. `tz`: the time zone in
    which a table without a session has its day, by default UTC; raises `MalformedError` where there is no such zone.
    """
    from ledger.history import open_history as opened

    with opened(_caught_up(ledger, history, tz, rebuild=rebuild, progress=progress, workers=workers)) as asked:
        yield asked


def _caught_up(
    ledger: str | Path, history: str | Path | None, tz: str | None, *, rebuild: bool = False, **how: Any
) -> Path:
    """Where the read model of the ledger lies, now level with it."""
    from ledger.history import catch_up, place_of_history
    from ledger.log.stores import file_of, open_store
    from ledger.zones import UTC, known_zone

    zone = UTC if tz is None else known_zone("tz", tz)
    with open_store(ledger, access="allowed") as store:
        if history is None:
            path = place_of_history(store, file_of(ledger), rebuild=rebuild, zone=zone)
        else:
            path = Path(history)
        catch_up(store, path, rebuild=rebuild, zone=zone, **how)
    return path


def verify_history(
    ledger: str | Path, *, progress: Callable[[int, int], None] | None = None, workers: int = 1
) -> HistoryComparison:
    """Makes the read model once more in a temporary folder, and compares every table; names the first difference.

    The ledger itself is taken as it is, which `verify` looks at. `workers` as in `open_history`. Raises
    `UnreadableError` where there is no read model of this ledger.
    """
    from ledger.history import compare, default_history_path
    from ledger.log.stores import file_of, open_store

    with open_store(ledger, access="allowed") as store:
        return compare(store, default_history_path(file_of(ledger)), progress=progress, workers=workers)


def _history_of(ledger: Asked) -> AbstractContextManager[History]:
    if isinstance(ledger, str | Path):
        return open_history(ledger)
    return ledger if isinstance(ledger, AbstractContextManager) else nullcontext(ledger)


def query(ledger: Asked, question: str, *, timeout: float | None = None, max_rows: int | None = None) -> Answer:
    """The answer to a question in SQL, of which only reading is possible; `ledger` may be an `open_history`.

    `timeout`, in seconds, and `max_rows` bound it, by default as on the command line. Raises `QueryError` for what is
    no such question, and where it goes past the bounds.
    """
    with _history_of(ledger) as history:
        return history.query(question, _bounds(timeout, max_rows))


def query_to_parquet(
    ledger: Asked,
    question: str,
    file: BinaryIO,
    *,
    timeout: float | None = None,
    max_rows: int | None = None,
) -> None:
    """As `query`, but writes the answer into an open file, as Parquet, in the types that SQL gave it."""
    with _history_of(ledger) as history:
        history.query_to_parquet(question, file, _bounds(timeout, max_rows))


def _bounds(timeout: float | None, max_rows: int | None) -> Bounds:
    from ledger import limits
    from ledger.history import Bounds

    return Bounds(
        seconds=limits.QUERY_SECONDS if timeout is None else timeout,
        rows=limits.QUERY_ROWS if max_rows is None else max_rows,
    )


def query_tables(ledger: Asked, *, lang: str = "en") -> list[TableDescription]:
    """The tables that a question may name, with their columns and what they mean."""
    with _history_of(ledger) as history:
        return list(history.tables(lang))


def saved_questions(ledger: str | Path) -> SavedQuestions:
    """The questions that were saved by name beside the ledger: `names()`, `sql(name)`, `save(name, sql)`."""
    from ledger.history.questions.saved import SavedQuestions
    from ledger.log.stores import file_of

    return SavedQuestions(file_of(ledger))


def stats(
    ledger: Asked,
    name: str,
    *,
    player: str | None = None,
    game: str | None = None,
    since: date | None = None,
    until: date | None = None,
    session: str | None = None,
    option: Mapping[str, Any] | None = None,
    place: str | None = None,
    weekday: str | None = None,
    season: str | None = None,
    season_from: str | None = None,
    seat: int | None = None,
    min_deals: int | None = None,
    by: Literal["table"] | None = None,
    group_by: Literal["season", "place", "weekday", "seat"] | None = None,
    compare: Mapping[str, Any] | None = None,
    rules: str | Path | LeagueRules | None = None,
    names: Mapping[str, str] | None = None,
    hidden: Collection[str] = (),
) -> StatisticAnswer:
    """A statistic by name, over all deals or those that the filters leave, as of a log entry; `ledger` as in `query`.

    `player`: the name in the record. `since`, `until`: days, both included. `option`: values that the table's
    options have, defaults included. `place`: where the session was held. `weekday`: `mon`, `tue` and so on, of the
    day of a deal. `season`: the year in which it begins, as `2025` or `2025/26`; `season_from`: on which day of the
    year seasons begin, as `09-01`. `seat`: of the player that a row is about. `min_deals`: who has fewer is not listed.
    `by="table"`: intervals of means hold where the deals of a table depend on each other. `group_by`: the statistic
    once for each value of this filter, which is the first column, `group`. `compare`: filters that are replaced in a
    second selection, with which the first is compared. `rules`: the rules of a league, or their file. `names`: what
    messages show for players. `hidden`: persons in whose place initials stand in the answer, for example
    `store.people().hidden_persons()`; a filter knows them by these alone.

    Raises `NotFoundError` for a statistic, player, game, session, option, place or seat that there is not, for a filter
    that the statistic does not take, and for what cannot be grouped or compared; `MalformedError` for a value that a
    filter or an option cannot have.
    """
    from msgspec.structs import replace

    from ledger.history import RULES, LeagueRules, read_league_rules, statistic_named
    from ledger.history.questions.filters import check_filters
    from ledger.history.questions.selections import check_selections, compared, grouped

    given: dict[str, Any] = {
        "player": player, "game": game, "since": since, "until": until, "session": session, "option": option,
        "place": place, "weekday": weekday, "season": season, "season_from": season_from,
    }  # fmt: skip
    own: dict[str, Any] = {"seat": seat, "min_deals": min_deals, "by": by}
    # what is wrong in the question is said before any file is read
    check_selections(statistic_named(name), {**given, **own, RULES: rules}, group_by, compare)
    if rules is not None:
        own[RULES] = rules if isinstance(rules, LeagueRules) else read_league_rules(Path(rules))
    replaced = dict(compare or {})
    other_own = {**own, "seat": replaced.pop("seat", seat)}
    filters, other = _filters(**given) | own, _filters(**{**given, **replaced}) | other_own

    def ask(history: History, filters: Mapping[str, Any], shown: Showing) -> StatisticAnswer:
        found = grouped(history, name, filters, group_by)
        if compare:
            spelled = _spelled(history, other, shown)
            found = compared(found, grouped(history, name, _of_person(spelled, shown), group_by))
            check_filters(history, spelled, shown)
        return replace(found, answer=shown.shown(found.answer))

    return _answered(ledger, filters, names, hidden, ask)


def plot(
    ledger: Asked,
    name: str,
    *,
    player: str | None = None,
    game: str | None = None,
    since: date | None = None,
    until: date | None = None,
    session: str | None = None,
    option: Mapping[str, Any] | None = None,
    place: str | None = None,
    weekday: str | None = None,
    season: str | None = None,
    season_from: str | None = None,
    names: Mapping[str, str] | None = None,
    hidden: Collection[str] = (),
    lang: str = "en",
) -> Figures:
    """What a plot shows, to be drawn by `picture`; filters, `hidden` and errors as in `stats`. `names` stand in it."""
    from ledger.plots.figures import check_asked, figures

    filters = _filters(player, game, since, until, session, option, place, weekday, season, season_from)
    check_asked(name, filters)  # what is wrong in the question is said before the ledger is read

    def ask(history: History, filters: Mapping[str, Any], shown: Showing) -> Figures:
        return figures(history, name, filters, shown.names, lang)

    return _answered(ledger, filters, names, hidden, ask)


def _filters(
    player: str | None,
    game: str | None,
    since: date | None,
    until: date | None,
    session: str | None,
    option: Mapping[str, Any] | None,
    place: str | None,
    weekday: str | None,
    season: str | None,
    season_from: str | None,
) -> dict[str, Any]:
    from ledger.history.questions.filters import checked_options
    from ledger.history.questions.statistics import checked_values
    from ledger.table.lookup import session_slug

    filters = checked_values(
        {
            "player": player,
            "game": game,
            "since": since,
            "until": until,
            "session": session,
            "option": option,
            "place": place,
            "weekday": weekday,
            "season": season,
            "season_from": season_from,
        }
    )
    slug = None if session is None else session_slug(session)
    return {**filters, "session": slug, "option": checked_options(filters["option"], game)}


def _answered(
    ledger: Asked,
    filters: Mapping[str, Any],
    names: Mapping[str, str] | None,
    hidden: Collection[str],
    ask: Callable[[History, Mapping[str, Any], Showing], Told],
) -> Told:
    """The answer, unless a filter names what there is not: a slip of the pen is no empty answer. A linked spelling
    names its person.
    """
    from ledger.history.questions.filters import check_filters
    from ledger.history.questions.showing import showing

    with _history_of(ledger) as history:
        shown = showing(history, names or {}, hidden)
        filters = _spelled(history, filters, shown)
        found = ask(history, _of_person(filters, shown), shown)
        check_filters(history, filters, shown)
    return found


def _spelled(history: History, filters: Mapping[str, Any], shown: Showing) -> Mapping[str, Any]:
    from ledger.history.questions.filters import spelled_player

    player = filters["player"]
    return filters if player is None else {**filters, "player": spelled_player(history, player, shown)}


def _of_person(filters: Mapping[str, Any], shown: Showing) -> Mapping[str, Any]:
    player = filters["player"]
    return filters if player is None else {**filters, "player": shown.person(player)}


def picture(figures: Figures, output: str, lang: str = "en") -> bytes:
    """A plot as the content of a file, in the form that the end of its name says: .png .svg .html, .json for Vega-Lite.

    Raises `NotFoundError` for another end.
    """
    from ledger.plots.charts import plot_spec
    from ledger.plots.writing import written

    return written(plot_spec(figures, lang), output)


def report(
    ledger: str | Path,
    session: str,
    *,
    history: Asked | None = None,
    names: Mapping[str, str] | None = None,
    hidden: Collection[str] = (),
    lang: str = "en",
) -> SessionPage:
    """A session as one printable page: results, score sheets, notable deals, rulings, plots, and the proof.

    `history`: the read model, where it is open already. `names`: what to show for players, by their names in the
    record. `hidden`: persons in whose place initials stand. Raises `NotFoundError` for a session that there is not.
    """
    from ledger.history.questions.showing import showing
    from ledger.log.stores import open_store
    from ledger.plots.charts import plot_spec
    from ledger.plots.figures import figures
    from ledger.plots.fonts import with_face
    from ledger.plots.writing import svg
    from ledger.reports.facts import PLOTS, SessionPage
    from ledger.reports.gathering import session_report
    from ledger.table.lookup import session_slug
    from ledger.text.pages import report_page

    slug = session_slug(session)
    with _history_of(history or ledger) as asked, open_store(ledger, access="allowed") as store:
        shown = showing(asked, names or {}, hidden).names
        gathered = session_report(store, asked, slug, shown, lang)
        found = [figures(asked, name, {"session": slug}, shown, lang) for name in PLOTS]
    plots = [svg(plot_spec(one, lang)) for one in found if one.rows]
    page = with_face(report_page(gathered, plots, lang))
    return SessionPage(session=slug, position=gathered.position, digest=gathered.digest, html=page)


def export_parquet(
    ledger: str | Path,
    folder: str | Path,
    *,
    history: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
    tz: str | None = None,
) -> ParquetExport:
    """Writes every table of the history into a new folder, as Parquet files with a data dictionary; `history` and `tz`
    as in `open_history`.
    """
    from ledger.history import export_parquet as exported

    return exported(_caught_up(ledger, history, tz), Path(folder), progress=progress)


# --- rules ------------------------------------------------------------------------------------------------------------


def rulebooks() -> dict[str, Rulebook]:
    """The rulebooks of all games, by the name of the game."""
    from ledger.games import registered_games
    from ledger.games.kernel.rulebook import load

    return {name: load(game.package) for name, game in registered_games().items()}


def rules(what: str | None = None, *, search: str | None = None) -> list[Rule]:
    """The rule of an id, those of a number in any rulebook (6.8), or those of a game; with `search` those of them, or
    of all games, that hold all these words.

    Raises `NotFoundError` for what is neither a rule nor a game.
    """
    from ledger.games import rules_named

    books = rulebooks()
    if what is not None and what not in books:
        return rules_named(what)
    chosen: Iterable[Rulebook] = books.values() if what is None else [books[what]]
    return [found for book in chosen for found in (book.rules if search is None else book.search(search))]


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of what other programs send or receive, for example `score`: as in `schemas/score.json`.

    Raises `NotFoundError` naming those that there are.
    """
    from ledger.schemas import schema

    return schema(name)


__all__ = [
    "Added",
    "Addition",
    "Answer",
    "AuditAnswer",
    "CaseSheet",
    "Checkpoint",
    "Copied",
    "Damage",
    "DealReceipt",
    "Dispute",
    "DisputeAtTable",
    "Drill",
    "Figures",
    "HandRecordCheck",
    "HiddenDeals",
    "History",
    "HistoryComparison",
    "ImportReport",
    "Issued",
    "LaidOut",
    "LeftOut",
    "LineReceipt",
    "LineRefused",
    "LinkRow",
    "ParquetExport",
    "PlayerRow",
    "PublicKey",
    "Recording",
    "ReplayAnswer",
    "Rule",
    "Rulebook",
    "ScoreAnswer",
    "SecretKey",
    "SessionAddition",
    "SessionPage",
    "Statistic",
    "StatisticAnswer",
    "TableAsRead",
    "TableRow",
    "TablesCompared",
    "TokenFacts",
    "TwoReadings",
    "Verification",
    "Witness",
    "WrittenRecord",
    "add_code",
    "add_token",
    "amend_session",
    "audit",
    "backup",
    "case_page",
    "case_sheet",
    "check",
    "checkpoint",
    "close_session",
    "close_table",
    "compare",
    "correct",
    "correct_session",
    "cosign",
    "create",
    "dispute",
    "disputes",
    "drill",
    "export",
    "export_hand_record",
    "export_parquet",
    "fmt",
    "forget_name",
    "form",
    "hidden_deals",
    "hide_player",
    "import_file",
    "link_players",
    "list_tokens",
    "make_keys",
    "name_player",
    "note",
    "note_session",
    "open",
    "open_disputes",
    "open_hands",
    "open_history",
    "open_session",
    "pdf",
    "picture",
    "picture_png",
    "player_links",
    "players",
    "plot",
    "plot_list",
    "qr_picture",
    "query",
    "query_tables",
    "query_to_parquet",
    "read_checkpoint",
    "read_receipt",
    "read_secret_key",
    "read_tables",
    "read_witness",
    "readings",
    "receipt",
    "reopen_session",
    "replay",
    "replay_all",
    "report",
    "reset_token_clock",
    "restore",
    "revoke_token",
    "rule",
    "rulebooks",
    "rules",
    "ruling",
    "saved_questions",
    "schema",
    "score",
    "seat",
    "show_player",
    "simulate",
    "simulate_evenings",
    "statistics",
    "stats",
    "table_picture",
    "tables",
    "token_clock_ahead",
    "unlink_player",
    "verify",
    "verify_history",
    "verify_receipt",
]
