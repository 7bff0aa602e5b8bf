"""A table that is opened at the terminal: what is asked, with what the ledger knows as defaults."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct, structs

from ledger.errors import LedgerError, MalformedError, SkippingDamage
from ledger.events import SessionClosed, SessionOpened, Slug, TableOpened
from ledger.games import game_named, registered_games
from ledger.games.kernel.protocol import Game
from ledger.limits import SLUG_CHARS
from ledger.log.base import Batch, LogStore, NewEntry
from ledger.names import fitting, folded
from ledger.recording.admissible import SessionSoFar
from ledger.recording.canonical import canonical_event
from ledger.recording.hand.vocabulary import game_typed, means
from ledger.recording.hand.words import NOBODY
from ledger.recording.live import LiveTable
from ledger.recording.new_names import check_new_names, check_new_slug, readable_player
from ledger.recording.typed.asking import Ask, Question
from ledger.recording.words import phrase
from ledger.table.corrections import corrected_reading
from ledger.table.lookup import SESSION_PREFIX, TABLE_PREFIX, session_entries, session_slug

Answer = TypeVar("Answer")

_LOOKED_AT: Final = 100
"""So many tables, the newest, are asked for players and sessions."""

_SEPARATORS: Final = re.compile(r"[,;、，]")
_FORM: Final = "form"
"""An option of this name decides how many play: it is asked alone."""


class Given(Struct, frozen=True, kw_only=True):
    """What is said of the table before anything is asked; None or empty: not said."""

    game: str | None = None
    players: tuple[str, ...] = ()
    options: Mapping[str, Any] = {}
    session: str | None = None


class Known(Struct, frozen=True, kw_only=True):
    """What the ledger knows of tables: the newest one, all players, and the session that is still open."""

    last: TableOpened | None
    players: tuple[str, ...]
    sessions: tuple[str, ...]
    open_session: str | None


def known_in(store: LogStore) -> Known:
    """What the newest tables and the sessions of a ledger know."""
    last: TableOpened | None = None
    players: dict[str, None] = {}
    heads = sorted(store.streams(TABLE_PREFIX), key=lambda head: head.last_position)[-_LOOKED_AT:]
    for head in heads:
        with SkippingDamage():
            opened = store.read_stream(head.stream)[0].event()
            if isinstance(opened, TableOpened):
                last = opened
                players |= dict.fromkeys(opened.players)
    sessions = tuple(head.stream.removeprefix(SESSION_PREFIX) for head in store.streams(SESSION_PREFIX))
    session = None if last is None else last.session
    if session is None or session not in sessions or _is_closed(store, session):
        session = None
    return Known(last=last, players=tuple(sorted(players)), sessions=sessions, open_session=session)


def _is_closed(store: LogStore, session: str) -> bool:
    reading = corrected_reading(session_entries(store, session))
    return any(isinstance(event, SessionClosed) for _, event in reading)


def opened_by_questions(
    store: LogStore,
    slug: str,
    given: Given,
    *,
    ask: Ask,
    tell: Callable[[LedgerError], None],
    today: str,
    by: str,
    new_id: Callable[[], str],
) -> LiveTable:
    """Opens a table, and its session where that is new.

    What is `given` is not asked; a wrong answer is told and asked again. Raises `MalformedError` for what is given
    wrongly, and for a slug that is none. `today`: the date of a session that begins now.
    """
    checked_slug(slug)
    check_new_slug(slug)
    known = known_in(store)
    game = _game(given, known, ask, tell)
    options = dict(given.options) or _again(tell, lambda: _options(game, ask))
    players = _players(given, known, game, options, ask, tell)
    session = _session(store, given, known, today, ask, tell)
    opened = TableOpened(game=game.name, players=players, options=options, session=session and session[0])
    if session is not None and session[1] is not None:
        entry = NewEntry(session[1], new_id())
        store.append(Batch(SESSION_PREFIX + session[0], 0, (entry,)), recorded_by=by)
    return LiveTable.open(store, slug, opened, by=by, id=new_id())


def _again(tell: Callable[[LedgerError], None], answered: Callable[[], Answer]) -> Answer:
    while True:
        try:
            return answered()
        except LedgerError as error:
            tell(error)


def _game(given: Given, known: Known, ask: Ask, tell: Callable[[LedgerError], None]) -> Game:
    if given.game is not None:
        return game_named(given.game)
    names = tuple(sorted(registered_games()))
    default = names[0] if known.last is None else known.last.game
    question = Question(phrase("opening.game", games=names, default=default), default, names)
    return _again(tell, lambda: game_typed(ask(question).strip() or default))


def _options(game: Game, ask: Ask) -> dict[str, Any]:
    """Those that differ from the rulebook: NAME=VALUE, with blanks between; a question mark lists them."""
    hints = get_type_hints(game.option_type)
    fields = {field.encode_name: field for field in structs.fields(game.option_type)}
    options: dict[str, Any] = {}
    if _FORM in fields:
        forms = tuple(map(str, get_args(hints[fields[_FORM].name])))
        default = str(fields[_FORM].default)
        told = ask(Question(phrase("opening.form", forms=forms, default=default), default, forms)).strip()
        options |= {_FORM: told} if told and told != default else {}
    listed = tuple(f"{name}={_shown(field.default)}{_choices(hints[field.name])}" for name, field in fields.items())
    told = ask(Question(phrase("opening.options"), "", tuple(fields)))
    while told.strip() in ("?", "？"):
        told = ask(Question(phrase("opening.options_of", options=listed), "", tuple(fields)))
    return options | dict(map(option_named, told.split()))


def _shown(value: Any) -> str:
    return msgspec.json.encode(value).decode().strip('"')


def _choices(hint: Any) -> str:
    return f" ({'|'.join(map(str, get_args(hint)))})" if get_origin(hint) is Literal else ""


def option_named(text: str) -> tuple[str, Any]:
    """`ante=10`, `all_pass=spadille_forced`: a JSON value where it is one, else a word."""
    name, is_pair, value = text.partition("=")
    if not is_pair or not name:
        raise MalformedError(phrase("opening.no_pair"), phrase("opening.pair"), text)
    try:
        return name, msgspec.json.decode(value)
    except msgspec.DecodeError:
        return name, value


def _players(
    given: Given, known: Known, game: Game, options: Mapping[str, Any], ask: Ask, tell: Callable[[LedgerError], None]
) -> tuple[str, ...]:
    if given.players:
        return _checked(given.players, game, options)
    last = known.last.players if known.last is not None and known.last.game == game.name else ()
    default = ", ".join(last)
    question = Question(phrase("opening.players", default=default), default, known.players)

    def answered() -> tuple[str, ...]:
        told = ask(question) or default
        names = [name.strip() for name in _SEPARATORS.split(told) if name.strip()]
        return _checked([_meant(name, known.players) for name in names], game, options)

    return _again(tell, answered)


def _meant(name: str, players: Sequence[str]) -> str:
    """The player of the ledger whose name begins so, if only one does; else a new one."""
    found = fitting([folded(player) for player in players], folded(name))
    return players[found[0]] if len(found) == 1 else name


def _checked(players: Sequence[str], game: Game, options: Mapping[str, Any]) -> tuple[str, ...]:
    for place, name in enumerate(players):
        if folded(name) in map(folded, players[:place]):
            raise MalformedError(phrase("name.same_name"), phrase("name.told_apart"), name)
        if folded(name) == NOBODY:
            raise MalformedError(phrase("name.is_recorder"), phrase("name.another"), name)
    game.make_options(options, len(players))
    return tuple(readable_player(f"players[{seat}]", name) for seat, name in enumerate(players))


def _session(
    store: LogStore, given: Given, known: Known, today: str, ask: Ask, tell: Callable[[LedgerError], None]
) -> tuple[str, SessionOpened | None] | None:
    """The session by its slug, with its opening where it is new; None for a table without one."""

    def answered() -> tuple[str, SessionOpened | None] | None:
        default = known.open_session or ""
        told = given.session
        if told is None:
            told = ask(Question(phrase("opening.session", default=default or "-"), default, known.sessions))
        slug = session_slug(told.strip() or default)
        if not slug or means("none", slug):
            return None
        checked_slug(slug)
        if slug in known.sessions:
            return slug, None
        check_new_slug(slug)
        title = ask(Question(phrase("opening.title", default=slug), slug)).strip() or slug
        date = ask(Question(phrase("opening.date", default=today), today)).strip() or today
        opening = canonical_event(SessionOpened(title=title, date=date))
        assert isinstance(opening, SessionOpened)
        SessionSoFar().take(opening)
        check_new_names(SESSION_PREFIX + slug, (), [opening])
        return slug, opening

    return answered() if given.session is not None else _again(tell, answered)


def checked_slug(slug: str) -> None:
    """Raises `MalformedError` for what cannot name a table or a session."""
    try:
        msgspec.convert(slug, Slug)
    except msgspec.ValidationError:
        raise MalformedError(phrase("opening.no_slug"), phrase("file.slug", most=SLUG_CHARS), slug) from None
