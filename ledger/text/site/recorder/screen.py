"""Make the recorder's screen of a table from what the recorder may know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from markupsafe import Markup
from msgspec import Struct, structs, to_builtins

from ledger.cards import UNKNOWN
from ledger.events import Announced, CardPlayed, CardsExchanged, DealStarted, DealVoided, DisputeRaised, Event, Noted
from ledger.recording.board.keyboard import LastBy, board_of, keyboard_of, turned_up
from ledger.recording.board.offers import ExchangeOffers, Offers, OffersBySeat, offers_in, vocabulary
from ledger.recording.typed.situation import Situation, machine_now, situation_in
from ledger.table.fold import TableFold
from ledger.table.repository import TableAsRead
from ledger.text.catalogue import title_of, writer_name
from ledger.text.letters import letters_of
from ledger.text.score import cost_text
from ledger.text.site.cards import aria_text
from ledger.text.site.catalogue import say
from ledger.text.site.recorder.acts import ActFormatter, Signed, Undo, act_formatter_of, undo_of
from ledger.text.site.recorder.deal_state import DealResult, Prompt, deal_result_of, prompt_of
from ledger.text.site.recorder.keyboard import (
    Button,
    DrawnKeyboard,
    OfferRow,
    UncheckedActs,
    all_pass,
    anyones_button,
    as_json,
    button,
    drawn_keyboard,
    hand_sizes,
    offer_row,
    seat_button,
    start_button,
    unchecked_acts_of,
    unseen_card_button,
)
from ledger.text.site.recorder.seats import TableView, needs_seating_check, roles_of, table_view

_PUBLIC_FIELDS: Final = ("type", "seat", "card", "deal", "dealer")
"""The fields of an act that a device needs to undo it; none of them is hidden from anyone."""


class Recorder(Struct, frozen=True, kw_only=True):
    """The person who records.

    `by`: their `recorded_by`, the writer whose acts may be taken back. `below`: the seat at their side of the table.
    """

    by: str
    is_director: bool
    lang: str
    below: int = 0


class UndoButton(Struct, frozen=True):
    """The button that takes acts back.

    `versions`: the versions to strike, last first, separated by blanks. `acts`: the acts as JSON without hidden cards.
    """

    versions: str
    act_text: str
    acts: str


class TextForm(Struct, frozen=True):
    """A form for free text.

    `name`: the key of its texts. `writes`: the event as JSON, to which the text is added as `field`.
    """

    name: str
    writes: str
    field: str


class Screen(Struct, frozen=True, kw_only=True):
    """All that a recorder's page shows.

    `last_act_text`: the last act for screen readers. `next_roles`: who cuts and who leads in the next deal. `board`:
    the state for the page's script, as JSON.
    """

    stage: str
    game: str
    deal: int
    table: TableView
    prompt: Prompt
    last_act_text: str
    undo: UndoButton | None
    calls: tuple[Button, ...]
    passing: Button | None
    all_pass: Button | None
    said: tuple[OfferRow, ...]
    seldom: tuple[OfferRow, ...]
    gathered: tuple[Button, ...]
    exchange: tuple[Button, ...]
    none_called: Button | None
    keys: DrawnKeyboard | None
    unseen: Button | None
    sizes: str | None
    aside_seat: int | None
    aside_sizes: str
    words: tuple[Button, ...]
    texts: tuple[TextForm, ...]
    next_anyway: Button | None
    due: str | None
    ended: DealResult | None
    next_deal: Button | None
    next_dealer: str
    next_roles: str
    next_number: int
    other_dealers: tuple[Button, ...]
    needs_seating_check: bool
    is_over: bool
    version: int
    last_version: int | None
    board: Markup


def screen_of(read: TableAsRead, version: int, signed: Mapping[int, Signed], who: Recorder) -> Screen:
    """Return the screen of a table that was read with the players' shown names, as far as this recorder may know it."""
    fold = read.fold
    players = tuple(fold.players)
    formatter = act_formatter_of(fold, who.lang)
    now = situation_in(fold, players)
    offers = offers_in(now, machine_now(fold))
    keyboard = keyboard_of(now, fold.options)
    deal = fold.deals[-1].number if fold.deals else 1
    board = board_of(now, read.slug, version, deal, _last_by(fold, version, signed, who, formatter))
    view = None if now.machine is None else now.machine.view()
    passing = now.game.passing
    calls = [one for one in offers.calls if getattr(one.act, "call", "") != passing]
    pass_offer = next((one for one in offers.calls if one not in calls), None)
    undo = undo_of(fold, signed, who.by, may_undo_all=who.is_director)
    acts = list(fold.entries[1:])
    return Screen(
        stage=now.stage,
        game=title_of(fold.game, who.lang),
        deal=deal if now.stage != "between" or fold.deals else 1,
        table=table_view(
            board, view, fold.game, formatter.wording, who.below, _exchanged(fold, offers), turned_up(view, _acts(fold))
        ),
        prompt=prompt_of(now, board, offers, keyboard, formatter.wording),
        last_act_text="" if board.last_by is None else aria_text(board.last_by.words, who.lang, letters_of(fold.pack)),
        undo=None if undo is None else _undo_button(undo, formatter),
        calls=tuple(button(one, formatter) for one in calls),
        passing=None if pass_offer is None else button(pass_offer, formatter),
        all_pass=None if offers.all_pass is None else all_pass(offers.all_pass, formatter),
        said=tuple(_row(one, fold, formatter) for one in offers.said),
        seldom=tuple(_row(one, fold, formatter) for one in offers.seldom),
        gathered=tuple(seat_button(one, formatter) for one in offers.gathered),
        exchange=() if offers.exchange is None else tuple(button(one, formatter) for one in offers.exchange.counts),
        none_called=None if offers.none_called is None else button(offers.none_called, formatter),
        keys=None if keyboard is None else drawn_keyboard(keyboard, players, fold.game, who.lang),
        aside_seat=None if offers.exchange is None else offers.exchange.seat,
        aside_sizes=_aside_sizes(offers.exchange, len(players)),
        sizes=hand_sizes(fold) if now.stage == "cards" else None,
        unseen=None
        if board.turn is None or keyboard is None or keyboard.purpose != "play"
        else _unseen(board.turn, fold, formatter),
        words=tuple(anyones_button(one, formatter) for one in vocabulary(now)),
        texts=_texts(fold, now, acts[-1][0] if acts else None),
        next_anyway=_next_anyway(now, fold, formatter) if now.stage in ("cards", "acts") else None,
        due=None if board.turn is None else players[board.turn],
        ended=deal_result_of(fold, formatter.wording) if now.stage in ("between", "closed") else None,
        next_deal=start_button(DealStarted(deal=now.next_deal, dealer=now.dealer), formatter)
        if now.stage == "between"
        else None,
        next_dealer=players[now.dealer],
        next_roles=_roles(now, formatter),
        next_number=now.next_deal,
        other_dealers=tuple(_dealers(now, formatter)) if now.stage == "between" else (),
        needs_seating_check=needs_seating_check(fold),
        is_over=fold.match.is_over,
        version=version,
        last_version=acts[-1][0] if acts else None,
        board=Markup(as_json(board).replace("<", "\\u003c")),  # no text can end the element that it stands in
    )


def unchecked_acts(read: TableAsRead, lang: str) -> UncheckedActs:
    """Return the acts that a page offers while it has no connection."""
    fold = read.fold
    return unchecked_acts_of(fold, situation_in(fold, tuple(fold.players)), act_formatter_of(fold, lang))


def _last_by(
    fold: TableFold, version: int, signed: Mapping[int, Signed], who: Recorder, formatter: ActFormatter
) -> LastBy | None:
    """Return the last entry of the stream and its writer; corrections count, too."""
    one = signed.get(version)
    recorded: Sequence[Event] = [event for at, event in fold.recorded if at == version]
    act_text = formatter.with_name(recorded[-1]) if recorded else ""
    if one is None:
        return None
    return LastBy(version=version, by=writer_name(one.name, who.lang), is_own=one.by == who.by, words=act_text)


def _undo_button(undo: Undo, formatter: ActFormatter) -> UndoButton:
    acts = [
        {name: value for name, value in to_builtins(event).items() if name in _PUBLIC_FIELDS} for event in undo.events
    ]
    return UndoButton(" ".join(map(str, undo.versions)), formatter.repeated(undo.events), as_json(acts))


def _next_anyway(now: Situation, fold: TableFold, formatter: ActFormatter) -> Button:
    """Return the button that begins the next deal while this one goes on, with what that costs its score."""
    start = DealStarted(deal=now.next_deal, dealer=now.dealer)
    return structs.replace(start_button(start, formatter), cost=cost_text(fold, (start,), formatter.wording))


def _unseen(seat: int, fold: TableFold, formatter: ActFormatter) -> Button:
    cost = cost_text(fold, (CardPlayed(seat=seat, card=UNKNOWN),), formatter.wording)
    return structs.replace(unseen_card_button(formatter), cost=cost)


def _row(by_whom: OffersBySeat, fold: TableFold, formatter: ActFormatter) -> OfferRow:
    """Return an offer's row, with the warning if every seat's announcement leaves the deal without a score."""
    shown = offer_row(by_whom, formatter)
    if not isinstance(by_whom.act, Announced):
        return shown
    costs = (cost_text(fold, offer.events, formatter.wording) for offer in by_whom.offers)
    cost = next(costs)
    return structs.replace(shown, cost=cost) if cost and all(costs) else shown


def _roles(now: Situation, formatter: ActFormatter) -> str:
    """Return who cuts and who leads in the next deal."""
    roles = roles_of(now.game, now.dealer, len(now.players))
    roles_by_key = (("rec.cuts", roles.cuts), ("rec.leads", roles.leads))
    return formatter.wording.listed(
        say(formatter.lang, key, name=now.players[seat]) for key, seat in roles_by_key if seat is not None
    )


def _dealers(now: Situation, formatter: ActFormatter) -> list[Button]:
    """Return the buttons of the other players who may have dealt; the audit finds a deal out of turn."""
    others = [seat for seat in range(len(now.players)) if seat != now.dealer]
    return [
        start_button(
            DealStarted(deal=now.next_deal, dealer=seat), formatter, label=now.players[seat], is_as_played=True
        )
        for seat in others
    ]


def _exchanged(fold: TableFold, offers: Offers) -> Mapping[int, int]:
    """Return the number of cards that each seat has exchanged in this deal, while the exchange lasts."""
    if offers.exchange is None:
        return {}
    return {event.seat: event.count for event in _acts(fold) if isinstance(event, CardsExchanged)}


def _acts(fold: TableFold) -> Sequence[Event]:
    """Return the events of the last deal."""
    return [event for _, event in fold.entries[fold.deals[-1].start :]] if fold.deals else []


def _aside_sizes(exchange: ExchangeOffers | None, seats: int) -> str:
    """Return the number of cards that each seat may put aside, as a JSON list."""
    sizes = [0] * seats
    if exchange is not None:
        sizes[exchange.seat] = len(exchange.counts) - 1
    return as_json(sizes)


def _texts(fold: TableFold, now: Situation, last: int | None) -> tuple[TextForm, ...]:
    written: list[tuple[str, dict[str, object], str]] = [("note", {"type": _tag(Noted)}, "text")]
    if fold.deals:
        about: dict[str, object] = {"type": _tag(DisputeRaised), "deal": fold.deals[-1].number}
        if last is not None and last > fold.deals[-1].version:
            about["version"] = last
        written.insert(0, ("dispute", about, "text"))
    if now.stage in ("cards", "acts"):
        written.append(("void", {"type": _tag(DealVoided)}, "reason"))
    return tuple(TextForm(name, as_json(event), field) for name, event, field in written)


def _tag(kind: type[Struct]) -> str:
    return str(kind.__struct_config__.tag)
