"""Texts for a recorder during the game: each act as a line, the table in a few, a deal's end, what may come next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct, structs
from rich.cells import cell_len

from ledger.cards import SYMBOLS, UNKNOWN
from ledger.errors import AgainstRulesError
from ledger.events import Announced, BidMade, CardPlayed, Event, TrumpNamed
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.moves import value_of
from ledger.games.kernel.views import DealView, TrickView
from ledger.i18n import in_words, sentence
from ledger.log.people import with_shown_names
from ledger.recording.catalogue import either
from ledger.recording.live import LiveTable
from ledger.recording.typed.choices import ActChoice, choices_in
from ledger.recording.typed.situation import (
    ActRecorded,
    ActRefused,
    ActUndone,
    DealEnded,
    FormLeft,
    HelpRequested,
    Notice,
    OthersRecorded,
    SheetAgrees,
    Situation,
    due_in,
    words_due,
)
from ledger.table.corrections import with_names
from ledger.table.fold import TableFold
from ledger.table.score import score_lines, substitutes_points
from ledger.text.cards import card_text, hand_text, player_totals_text
from ledger.text.catalogue import Wording, counted, label, title_of, wording_for
from ledger.text.deal import calls_text, contract_facts, laid, won_text
from ledger.text.events import whole_event_text
from ledger.text.layout import shortened
from ledger.text.score import payment_lines

_COLUMNS: Final = 80
"""The narrowest terminal in which each hand fits in one line."""

_BETWEEN: Final = " | "
_MOST_WORDS: Final = 4
"""The most words in a prompt."""

_EVERYBODY: Final = -1
"""The viewer without any hand, from whom everything hidden is hidden."""


class RecorderView(Struct, frozen=True):
    """A table as its recorder sees it: language, whether cards are hidden, names to show."""

    live: LiveTable
    lang: str
    is_hidden: bool
    names: Mapping[str, str]

    @property
    def wording(self) -> Wording:
        return wording_for(self.live.fold.game, self.lang, self.live.fold.pack)

    def players(self) -> Sequence[str]:
        """Return the players' names to show, by seat."""
        return [self.names.get(name, name) for name in self.live.fold.players]

    def visible_table(self) -> TableFold:
        """Return the table, without hidden cards if they are hidden."""
        return self.live.seen_by_all if self.is_hidden else self.live.fold

    def event_text(self, event: Event) -> str:
        """Return the event in words, without hands if they are hidden."""
        ((_, shown),) = with_names([(0, event)], self.names)
        return whole_event_text(shown, self.players(), self.wording, _EVERYBODY if self.is_hidden else None)


def notice_text(notice: Notice, view: RecorderView) -> Iterator[str]:
    """Yield the lines of a notice."""
    return map(view.wording.cards, _notice_text(notice, view))


def _notice_text(notice: Notice, view: RecorderView) -> Iterator[str]:
    lang = view.lang
    match notice:
        case ActRecorded():
            yield from _recorded(notice, view)
        case OthersRecorded():
            by = None
            for row in notice.rows:
                if row.recorded_by != by:
                    by = row.recorded_by
                    yield label(lang, "recorder.elsewhere", name=with_shown_names(by, view.names))
                yield _entry(row.version, row.event(), view)
        case ActRefused():
            yield from _refused(notice, view)
        case DealEnded():
            yield from _ended(notice.number, view)
        case ActUndone():
            key = "recorder.again" if notice.is_again else "recorder.undone"
            yield label(lang, key, event=view.wording.clauses(map(view.event_text, notice.events)))
        case SheetAgrees():
            yield label(lang, "recorder.sheet_agrees")
        case FormLeft():
            yield label(lang, "recorder.form_left")
        case HelpRequested():
            yield may_come(notice.now, lang)
            yield label(lang, "recorder.help").lstrip("\n")


def _entry(version: int, event: Event, view: RecorderView) -> str:
    return "  " + label(view.lang, "recorder.entry", version=f"{version:>4}", event=view.event_text(event))


def _recorded(notice: ActRecorded, view: RecorderView) -> Iterator[str]:
    yield _entry(notice.version, notice.event, view)
    for key, violations in (("broken", notice.violations), ("exposed", notice.exposed)):
        for one in violations:
            if one.severity != "info":
                yield "        " + _broken(key, one, view)
    if notice.trick is not None:
        number, trick = notice.trick
        won = won_text(trick, view.players(), view.lang)
        yield "        " + label(view.lang, "recorder.trick", trick=number, won=won)


def _broken(key: str, violation: Violation, view: RecorderView) -> str:
    """Return a broken rule; without the sentence if that could reveal hidden cards."""
    if view.is_hidden:
        return label(view.lang, f"recorder.hidden_{key}", rule=violation.rule, code=violation.code)
    why = sentence(view.live.fold.game.package, violation.words, view.players(), view.lang)
    return label(view.lang, f"recorder.{key}", rule=violation.rule, code=violation.code, sentence=why)


def _refused(notice: ActRefused, view: RecorderView) -> Iterator[str]:
    error, lang = notice.error, view.lang
    if view.is_hidden and isinstance(error, AgainstRulesError):
        yield label(lang, "recorder.hidden_broken", rule=error.rule, code=error.finding)
    else:
        yield error.message(lang)
    if notice.can_insist:
        yield label(lang, "recorder.insist")
    if notice.left:
        yield label(lang, "recorder.unread", text=notice.left)


def _ended(number: int, view: RecorderView) -> Iterator[str]:
    """Yield the payments of a finished deal, the number of findings, and the standings."""
    lang, fold = view.lang, view.live.settled
    record, wording = fold.deal(number), view.wording
    result = getattr(record.outcome, "result", None) if record.status == "complete" else record.status
    named = wording.word(result or record.status)
    yield label(lang, "recorder.ended", deal=number, result=named)
    if record.settlement is not None:
        lines = score_lines(fold, record.settlement.lines, view.players(), lang)
        yield from payment_lines(lines, view.players(), lang)
    faults = sum(violation.severity != "info" for violation in record.violations)
    if faults:
        yield label(lang, "recorder.faults", findings=counted(lang, faults, "finding"), table=view.live.slug)
    yield standings_text(view)
    if fold.match.is_over:
        winners = label(lang, "and").join(view.players()[seat] for seat in fold.match.winners())
        yield label(lang, "score.over", names=winners) if winners else label(lang, "score.over_without_winner")


def standings_text(view: RecorderView) -> str:
    """Return the totals, and the pool if there is one."""
    fold = view.live.settled
    points = [structs.replace(one, player=view.names.get(one.player, one.player)) for one in substitutes_points(fold)]
    amounts = player_totals_text(fold.match.totals, view.players(), points, view.lang)
    pool = fold.match.state().get("pool")
    if pool is not None:
        amounts = label(view.lang, "recorder.with_pool", amounts=amounts, pool=pool)
    return label(view.lang, "recorder.standings", amounts=amounts)


def may_come(now: Situation, lang: str) -> str:
    """Return what may come next by the rules, in words that may be typed."""
    wording = wording_for(now.game, lang)
    words = "  ".join(_choice(choice, wording) for choice in choices_in(now))
    return label(lang, "recorder.may_come", words=words or label(lang, "recorder.anything"))


def _choice(choice: ActChoice, wording: Wording) -> str:
    if choice.card is not None:
        return card_text(choice.card)
    if isinstance(choice.event, TrumpNamed):
        return SYMBOLS[choice.event.suit]
    return _said(choice, wording) if isinstance(choice.event, BidMade | Announced) else choice.word


def resumed_text(view: RecorderView) -> str:
    """Return the sentence for a table that was opened, or how far it has come and its last act."""
    version, event = view.live.fold.entries[-1]
    if version == 1:
        return label(view.lang, "recorder.opened", table=view.live.slug)
    last, entries = view.wording.cards(view.event_text(event)), f"{view.live.version:,}"
    return label(view.lang, "recorder.resumed", table=view.live.slug, entries=entries, last=last)


def prompt_text(now: Situation, lang: str) -> str:
    """Return who is due, and for what."""
    match now.stage:
        case "closed":
            return label(lang, "recorder.closed")
        case "between":
            dealer = label(lang, "event.deals", name=now.players[now.dealer])
            return label(lang, "recorder.next_deal", deal=now.next_deal, dealer=dealer)
    due = _due_text(now, lang)
    if now.turn is None or (not words_due(now) and due_in(now) == "word"):
        deal = now.next_deal - 1
        prompt = label(lang, "recorder.nobody_due_what" if due else "recorder.nobody_due", deal=deal, what=due)
    else:
        prompt = label(lang, "recorder.due_what" if due else "recorder.due", name=now.players[now.turn], what=due)
    return label(lang, "recorder.cards", due=prompt) if now.stage == "cards" else prompt


def _due_text(now: Situation, lang: str) -> str:
    """Return what is due, with the words that may be said instead."""
    due = due_in(now)
    if due is None:
        return ""
    wording = wording_for(now.game, lang)
    words = [wording.word(said) for said in words_due(now)]
    if due == "word":
        others = [choice for choice in choices_in(now) if isinstance(choice.event, Announced)]
        words = words or [_said(choice, wording) for choice in others]
        return in_words(either(words[:_MOST_WORDS]), lang)
    what = [label(lang, f"recorder.due_{due}")]
    if due == "call" and now.may(CardPlayed):
        what.append(label(lang, "recorder.due_lead"))
    return in_words(either(what + (words[:_MOST_WORDS] if due in ("lead", "trump") else [])), lang)


def _said(choice: ActChoice, wording: Wording) -> str:
    word = wording.word(value_of(choice.event))
    return word if choice.by is None else f"{choice.by}:{word}"


def current_text(view: RecorderView) -> Iterator[str]:
    """Yield what others have recorded since the last prompt, and the table with it."""
    rows = view.live.recorded_since(view.live.version)
    if rows:
        view = structs.replace(view, live=view.live.preview([row.event() for row in rows]))
        yield from notice_text(OthersRecorded(tuple(rows)), view)
    yield from table_text(view)


def table_text(view: RecorderView) -> Iterator[str]:
    """Yield the table in a few lines: calls and contract, the current trick, tricks taken, known hands, the score."""
    return map(view.wording.cards, _table_text(view))


def _table_text(view: RecorderView) -> Iterator[str]:
    lang, fold, players = view.lang, view.visible_table(), view.players()
    slug, title = view.live.slug, title_of(fold.game, lang)
    if not fold.deals or fold.deals[-1].machine.status != "open" or fold.is_closed:
        yield label(lang, "recorder.head_before", table=slug, game=title)
        yield standings_text(view)
        return
    record = fold.deals[-1]
    dealer = label(lang, "event.deals", name=players[record.dealer])
    yield label(lang, "recorder.head", table=slug, game=title, deal=record.number, dealer=dealer)
    state = record.machine.view()
    if state.auction and not state.tricks:
        yield calls_text(state, players, view.wording)
    facts = contract_facts(state, state.partner, players, view.wording)
    if facts:
        yield "  ".join(f"{label(lang, key)}: {fact}" for key, fact in facts.items())
    yield from _hands(state, players)
    yield from _tricks(state, players, lang)
    yield standings_text(view)


def _hands(view: DealView, players: Sequence[str]) -> Iterator[str]:
    """Yield the known hands, as many on a line as fit."""
    line = ""
    for seat, hand in enumerate(view.hands):
        if not set(hand) - {UNKNOWN}:
            continue
        cards = hand_text(hand)
        named = f"{shortened(players[seat], _COLUMNS - cell_len(cards) - 1)} {cards}"
        if line and cell_len(f"{line}{_BETWEEN}{named}") > _COLUMNS:
            yield line
            line = ""
        line += f"{_BETWEEN}{named}" if line else named
    if line:
        yield line


def _tricks(view: DealView, players: Sequence[str], lang: str) -> Iterator[str]:
    if not view.tricks:
        return
    trick: TrickView = view.tricks[-1]
    if trick.winner is None:
        cards = label(lang, "list").join(f"{players[seat]} {card_text(card)}" for seat, card in laid(trick))
        yield label(lang, "recorder.so_far", trick=len(view.tricks), cards=cards)
    counts = [f"{players[seat]} {count}" for seat, count in enumerate(view.trick_counts) if count]
    if counts:
        yield label(lang, "recorder.taken", counts=label(lang, "list").join(counts))
