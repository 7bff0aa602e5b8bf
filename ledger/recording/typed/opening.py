"""The questions that open a table at the terminal, with defaults from the ledger."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct, structs

from ledger.errors import LedgerError, MalformedError, SkippingDamage
from ledger.events import Event, SessionClosed, SessionOpened, Slug, TableOpened
from ledger.games import game_named, registered_games
from ledger.games.kernel.protocol import Game
from ledger.limits import SLUG_CHARS
from ledger.log.base import Batch, LogStore, NewEntry
from ledger.names import fitting, fold_name, folded
from ledger.recording.canonical import canonical_event
from ledger.recording.catalogue import either, phrase
from ledger.recording.commands import AppendBatches, execute
from ledger.recording.grammar import NOBODY
from ledger.recording.live import LiveTable
from ledger.recording.new_names import check_new_names, check_new_slug, readable_player
from ledger.recording.typed.forms import Ask, Prompt, PromptForm
from ledger.recording.validator import SessionValidator
from ledger.recording.vocabulary import game_typed, means
from ledger.streams import SESSION, TABLE
from ledger.table.corrections import corrected_reading
from ledger.table.repository import session_entries

_LOOKED_AT: Final = 100
"""The number of newest tables whose players and sessions are offered."""

_SEPARATORS: Final = re.compile(r"[,;、，]")
_FORM: Final = "form"
"""The option that decides the number of players; it is asked first."""


class TablePresets(Struct, frozen=True, kw_only=True):
    """The facts of a new table that were given as options; None or empty: not given."""

    game: str | None = None
    players: tuple[str, ...] = ()
    options: Mapping[str, Any] = {}
    session: str | None = None


class LedgerDefaults(Struct, frozen=True, kw_only=True):
    """Defaults from the ledger: its newest table, all players, all sessions, and the session that is still open."""

    last: TableOpened | None
    players: tuple[str, ...]
    sessions: tuple[str, ...]
    open_session: str | None


def first_event(store: LogStore, stream: str) -> Event:
    """Return the first event of a stream that exists. Raise as `LogStore.read_stream`."""
    return store.read_stream(stream)[0].event()


def ledger_defaults(store: LogStore, first: Callable[[LogStore, str], Event] = first_event) -> LedgerDefaults:
    """Return the defaults for a new table of this ledger. `first`: as `first_event`, which reads the whole stream."""
    last: TableOpened | None = None
    players: dict[str, None] = {}
    shown = store.display_names() if store.has_handles else {}
    heads = sorted(store.streams(TABLE.prefix), key=lambda head: head.last_position)[-_LOOKED_AT:]
    for head in heads:
        with SkippingDamage():
            opened = first(store, head.stream)
            if isinstance(opened, TableOpened):
                last = structs.replace(opened, players=tuple(shown.get(name, name) for name in opened.players))
                players |= dict.fromkeys(last.players)
    sessions = tuple(SESSION.slug(head.stream) for head in store.streams(SESSION.prefix))
    session = None if last is None else last.session
    if session is None or session not in sessions or _is_closed(store, session):
        session = None
    return LedgerDefaults(last=last, players=tuple(sorted(players)), sessions=sessions, open_session=session)


def _is_closed(store: LogStore, session: str) -> bool:
    reading = corrected_reading(session_entries(store, session))
    return any(isinstance(event, SessionClosed) for _, event in reading)


def open_table_by_prompts(
    store: LogStore,
    slug: str,
    given: TablePresets,
    *,
    ask: Ask,
    refuse: Callable[[LedgerError], None],
    today: str,
    by: str,
    new_id: Callable[[], str],
) -> LiveTable:
    """Open a table, and its session if it is new; facts that are `given` are not asked.

    A wrong answer goes to `refuse` and is asked again. Raise `MalformedError` for a wrong fact in `given` and for an
    invalid slug. `today`: the default date of a new session.
    """
    validate_slug(slug)
    check_new_slug(slug)
    table = _NewTable(store, given, today, PromptForm(ask, refuse))
    table.ask()
    if table.opening is not None:
        entry = NewEntry(table.opening, new_id())
        opening = Batch(SESSION.stream(str(table.session)), 0, (entry,))
        execute(store, AppendBatches(by=by, batches=(opening,)))
    return LiveTable.open(store, slug, table.opened(), by=by, id=new_id())


class _NewTable:
    """The questions about a new table, from its game to its session, with the answers so far."""

    game: Game

    def __init__(self, store: LogStore, given: TablePresets, today: str, form: PromptForm) -> None:
        self._given, self._form, self._known = given, form, ledger_defaults(store)
        self._last = self._known.last
        self._form_named: dict[str, Any] = {}
        self._options: dict[str, Any] = dict(given.options)
        self._players = given.players
        self._default_session = self._known.open_session or ""
        self.session: str | None = None
        self.opening: SessionOpened | None = None
        self._title, self._date = "", today

    def ask(self) -> None:
        """Ask for everything that is not given. Raise `MalformedError` for wrong facts that are given."""
        self._form.fill(
            [self._game, self._table_form, self._seats, self._further_options, self._session, self._named, self._dated]
        )

    def opened(self) -> TableOpened:
        return TableOpened(
            game=self.game.name,
            players=self._players,
            options=self._form_named | self._options,
            session=self.session,
        )

    # Questions

    def _game(self) -> bool | None:
        if self._given.game is not None:
            self.game = game_named(self._given.game)
            return None
        names = tuple(sorted(registered_games()))
        default = self.game.name if hasattr(self, "game") else names[0] if self._last is None else self._last.game

        def read(text: str) -> None:
            self.game = game_typed(text.strip() or default)

        return self._form.answer(Prompt(phrase("opening.game", games=names, default=default), default, names), read)

    def _table_form(self) -> bool | None:
        """Ask for the form of the game, which decides the number of players."""
        field = _option_fields(self.game).get(_FORM)
        self._form_named = {}
        if field is None or self._given.options:
            return None
        hints = get_type_hints(self.game.option_type)
        known, default = tuple(map(str, get_args(hints[field.name]))), str(field.default)

        def read(text: str) -> None:
            named = text.strip() or default
            if known and named not in known:
                raise MalformedError(phrase("opening.no_form"), either(known), named)
            self._form_named = {_FORM: named} if named != default else {}

        return self._form.answer(Prompt(phrase("opening.form", forms=known, default=default), default, known), read)

    def _seats(self) -> bool | None:
        if self._given.players:
            self._players = _checked(self._given.players, self.game, self._form_named | self._options)
            return None
        last = self._last.players if self._last is not None and self._last.game == self.game.name else ()
        default = ", ".join(self._players or last)
        known = self._known.players

        def read(text: str) -> None:
            names = [name.strip() for name in _SEPARATORS.split(text or default) if name.strip()]
            meant = [_meant(name, known) for name in names]
            self._players = _checked(meant, self.game, self._form_named | dict(self._given.options))

        return self._form.answer(Prompt(phrase("opening.players", default=default), default, known), read)

    def _further_options(self) -> bool | None:
        """Ask for options that differ from the rulebook: NAME=VALUE, separated by blanks; `?` lists them."""
        if self._given.options:
            return None
        fields, hints = _option_fields(self.game), get_type_hints(self.game.option_type)
        lists = False

        def read(text: str) -> None:
            nonlocal lists
            lists = text.strip() in ("?", "？")
            if not lists:
                options = dict(map(option_named, text.split()))
                if (unknown := next((name for name in options if name not in fields), None)) is not None:
                    raise MalformedError(
                        phrase("opening.no_option", game=self.game.called), either(tuple(fields)), unknown
                    )
                self.game.make_options(self._form_named | options, len(self._players))
                self._options = options

        question = Prompt(phrase("opening.options"), "", tuple(fields))
        while (is_answered := self._form.answer(question, read)) and lists:
            listed = tuple(f"{name}={_shown(one.default)}{_choices(hints[one.name])}" for name, one in fields.items())
            question = Prompt(phrase("opening.options_of", options=listed), "", tuple(fields))
        return is_answered

    def _session(self) -> bool | None:
        if self._given.session is not None:
            self._take_session(self._given.session)
            return None
        default = self.session or self._default_session
        question = Prompt(phrase("opening.session", default=default or "-"), default, self._known.sessions)
        return self._form.answer(question, lambda text: self._take_session(text.strip() or default))

    def _take_session(self, text: str) -> None:
        slug = SESSION.slug(text.strip() or self._default_session)
        self.session, self.opening = None, None
        if not slug or means("none", slug):
            return
        validate_slug(slug)
        if slug not in self._known.sessions:
            check_new_slug(slug)
        self.session = slug

    @property
    def _opens_session(self) -> bool:
        return self.session is not None and self.session not in self._known.sessions

    def _named(self) -> bool | None:
        if not self._opens_session:
            return None
        default = self._title or str(self.session)

        def read(text: str) -> None:
            self._open(text.strip() or default, self._date)
            self._title = text.strip() or default

        return self._form.answer(Prompt(phrase("opening.title", default=default), default), read)

    def _dated(self) -> bool | None:
        if not self._opens_session:
            return None
        default = self._date
        question = Prompt(phrase("opening.date", default=default), default)
        return self._form.answer(question, lambda text: self._open(self._title, text.strip() or default))

    def _open(self, title: str, date: str) -> None:
        """Set the opening of a session with this title and date. Raise `MalformedError` if it is impossible."""
        opening = canonical_event(SessionOpened(title=title, date=date))
        assert isinstance(opening, SessionOpened)
        SessionValidator().take(opening)
        check_new_names(f"{SESSION.prefix}{self.session}", (), [opening])
        self.opening = opening


def _option_fields(game: Game) -> dict[str, structs.FieldInfo]:
    return {field.encode_name: field for field in structs.fields(game.option_type)}


def _shown(value: Any) -> str:
    return msgspec.json.encode(value).decode().strip('"')


def _choices(hint: Any) -> str:
    return f" ({'|'.join(map(str, get_args(hint)))})" if get_origin(hint) is Literal else ""


def option_named(text: str) -> tuple[str, Any]:
    """Read `ante=10` or `all_pass=spadille_forced`: the value is JSON or else a word. Raise `MalformedError` for no
    pair.
    """
    name, is_pair, value = text.partition("=")
    if not is_pair or not name:
        raise MalformedError(phrase("opening.no_pair"), phrase("opening.pair"), text)
    try:
        return name, msgspec.json.decode(value)
    except msgspec.DecodeError:
        return name, value


def _meant(name: str, players: Sequence[str]) -> str:
    """Return the only known player whose name begins so; else the name itself, as a new player.

    Raise `MalformedError` if it is the name of several players that differ only in accents.
    """
    matches = fitting([folded(player) for player in players], folded(name))
    same = [players[place] for place in matches if fold_name(players[place]) == fold_name(name)]
    if len(same) > 1:
        raise MalformedError(phrase("name.fits_several"), either(same), name)
    return players[matches[0]] if len(matches) == 1 else name


def _checked(players: Sequence[str], game: Game, options: Mapping[str, Any]) -> tuple[str, ...]:
    for place, name in enumerate(players):
        if folded(name) in map(folded, players[:place]):
            raise MalformedError(phrase("name.same_name"), phrase("name.told_apart"), name)
        if folded(name) == NOBODY:
            raise MalformedError(phrase("name.is_recorder"), phrase("name.another"), name)
    game.make_options(options, len(players))
    return tuple(readable_player(f"players[{seat}]", name) for seat, name in enumerate(players))


def validate_slug(slug: str) -> None:
    """Raise `MalformedError` for an invalid slug of a table or session."""
    try:
        msgspec.convert(slug, Slug)
    except msgspec.ValidationError:
        raise MalformedError(phrase("opening.no_slug"), phrase("file.slug", most=SLUG_CHARS), slug) from None
