"""Show what was corrected or ruled after an evening was closed, and what that did to its ranking."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from ledger.events import Corrected, DirectorEvent
from ledger.reports.later_changes import LaterChange
from ledger.table.corrections import Correction
from ledger.table.fold import TableFold
from ledger.table.two_readings import correction_seen
from ledger.text.cards import signed_amount
from ledger.text.catalogue import label, written_wording_for
from ledger.text.deal import correction_values
from ledger.text.site.catalogue import say
from ledger.text.site.evening.facts import EveningFacts
from ledger.text.site.evening.items import Item, address_of_moment, place_of
from ledger.zones import moment_text


class LaterItem(Struct, frozen=True, kw_only=True):
    """A change after the evening was closed. `effects`: the ranking before and after it, a line a player."""

    when: str
    item: Item
    effects: Sequence[str]


def later_items(facts: EveningFacts, lang: str) -> Iterator[LaterItem]:
    """Yield the later changes, the newest first, each with the ranking of its game before and after it."""
    totals: dict[str, Mapping[str, int]] = {
        one.game: {rank.player: int(rank.points) for rank in one.rows} for one in facts.rankings if one.game is not None
    }
    for change, fold in sorted(facts.changes, key=lambda one: -one[0].position):
        after = {**dict.fromkeys(change.moved, 0), **totals.get(fold.game.name, {})}
        before = {player: points - change.moved.get(player, 0) for player, points in after.items()}
        totals[fold.game.name] = before
        yield LaterItem(
            when=moment_text(change.recorded_at, facts.state.zone),
            item=_change_item(facts.session, change, fold, lang),
            effects=list(_effects(before, after, lang)),
        )


def _effects(before: Mapping[str, int], after: Mapping[str, int], lang: str) -> Iterator[str]:
    """Yield who has other points, or another place, after a change. Players with equal points share a place."""
    for player in after:
        place, placed = _place(before, player), _place(after, player)
        if before[player] == after[player]:
            if place != placed:
                yield say(lang, "evening.effect_only_place", player=player, place=place, placed=placed)
            continue
        key = "evening.effect" if place == placed else "evening.effect_place"
        amounts = {"before": signed_amount(before[player]), "after": signed_amount(after[player])}
        yield say(lang, key, player=player, place=place, placed=placed, **amounts)


def _place(points: Mapping[str, int], player: str) -> int:
    return 1 + sum(other > points[player] for other in points.values())


def _change_item(session: str, change: LaterChange, fold: TableFold, lang: str) -> Item:
    event = change.event
    is_correction = isinstance(event, Corrected)
    return Item(
        where=place_of(session, change.table, change.deal, lang),
        address=address_of_moment(fold, change.table, change.deal),
        text=_correction_text(change, event, fold, lang) if isinstance(event, Corrected) else event.text,
        stamp=say(lang, "replay.corrected" if is_correction else "replay.ruling"),
    )


def _correction_text(change: LaterChange, event: Corrected, fold: TableFold, lang: str) -> str:
    """Return what a correction changed, with its reason; for a director's entry only the reason."""
    seen = correction_seen(fold, Correction(change.version, event))
    if isinstance(seen.written, DirectorEvent):
        return event.reason
    wording = written_wording_for(fold.game, lang, fold.pack)
    players = next((one.players for one in fold.deals if one.number == change.deal), fold.players)
    line = label(lang, "case.correction_line", **correction_values(seen, players, wording))
    return wording.clauses([line, event.reason])
