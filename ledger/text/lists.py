"""Lists of tables, players, rules, and deals whose hands are still hidden."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ledger.games import game_named
from ledger.games.kernel.rulebook import Rule, RuleAnswer
from ledger.i18n import word
from ledger.log.people import is_handle
from ledger.names import name_key
from ledger.recording.hands import HiddenDeals
from ledger.table.listing import PlayerRow, TableRow
from ledger.table.people import LinkRow
from ledger.text.cards import player_totals_text
from ledger.text.catalogue import label, rules_note
from ledger.text.layout import Part, table_headed


def tables_text(rows: Sequence[TableRow], lang: str, *, is_filtered: bool = False) -> Iterator[Part]:
    """Yield a row for each table."""
    if not rows:
        yield label(lang, "tables.none_fits" if is_filtered else "tables.none_yet")
        return
    heads = (label(lang, f"tables.{name}") for name in ("table", "game", "session", "players", "deals"))
    shown = table_headed(*heads, "")
    for row in rows:
        players = player_totals_text(row.totals, row.players, row.points, lang)
        state = label(lang, f"tables.{row.state}")
        game = word(game_named(row.game).package, row.game, lang)
        shown.add_row(row.table, game, row.session or "–", players, str(row.deals), state)
    yield shown


_LISTED: Final = 5


def hidden_deals_text(hidden: Sequence[HiddenDeals], lang: str) -> str:
    """Return one line with the tables (five at most), and the command that opens the hands."""
    listed = [label(lang, "hands.one", table=one.table, deals=_deals(one, lang)) for one in hidden[:_LISTED]]
    more = [label(lang, "hands.more", count=len(hidden) - _LISTED)] if len(hidden) > _LISTED else []
    return label(lang, "hands.still_hidden", tables=label(lang, "list").join([*listed, *more]))


def opened_text(opened: Sequence[HiddenDeals], lang: str, *, is_tried: bool) -> Iterator[str]:
    """Yield one line for each table. `is_tried`: a dry run."""
    if not opened:
        yield label(lang, "hands.none")
    for one in opened:
        key = "hands.would_open" if is_tried else "hands.opened"
        yield label(lang, key, table=one.table, deals=_deals(one, lang))


def _deals(one: HiddenDeals, lang: str) -> str:
    return label(lang, "list").join(map(str, one.deals))


_NOTHING = "–"


def _listed_under(row: PlayerRow) -> str:
    return row.name if row.name is not None and is_handle(row.player) else row.player


def players_text(rows: Sequence[PlayerRow], player: str | None, lang: str) -> Iterator[Part]:
    """Yield a row for each player. `player`: the only one in question, for whom nothing may be left after an
    erasure.
    """
    if not rows:
        none = label(lang, "players.none_yet")
        yield none if player is None else label(lang, "players.erased", player=player)
        return
    heads = ["player", "name", "tables"]
    if any(row.spellings for row in rows):
        heads.append("spellings")
    if any(row.hidden for row in rows):
        heads.append("hidden")
    shown = table_headed(*(label(lang, f"players.{head}") for head in heads))
    for row in sorted(rows, key=lambda row: name_key(_listed_under(row), lang)):
        cells = {
            "player": row.player,
            "name": row.name or _NOTHING,
            "tables": str(row.tables),
            "spellings": _listed(row.spellings, lang),
            "hidden": label(lang, "players.is_hidden") if row.hidden else _NOTHING,
        }
        shown.add_row(*(cells[head] for head in heads))
    yield shown


def links_text(rows: Sequence[LinkRow], lang: str) -> Iterator[Part]:
    """Yield a row for each link, with the tables where it does not count, if there are any."""
    if not rows:
        yield label(lang, "players.no_link")
        return
    heads = ["spelling", "linked_to", "person"]
    if any(row.apart for row in rows):
        heads.append("apart")
    shown = table_headed(*(label(lang, f"players.{head}") for head in heads))
    for row in rows:
        shown.add_row(row.spelling, row.player, row.person, *([_listed(row.apart, lang)] if "apart" in heads else []))
    yield shown


def _listed(names: Sequence[str], lang: str) -> str:
    return label(lang, "list").join(names) or _NOTHING


def rules_text(rules: Sequence[Rule], words: str | None, lang: str) -> Iterator[str]:
    """Yield the rules. `words`: the words searched for."""
    if not rules:
        yield label(lang, "rules.none_holds", words=repr(words))
    if note := rules_note(rules, lang):
        yield f"{note}\n"
    for rule in rules:
        yield f"{rule.id}  {rule.section_title}\n{rule.text}\n"


def rules_facts(rules: Sequence[Rule]) -> list[RuleAnswer]:
    """Return the rules for programs."""
    return [RuleAnswer(rule=rule.id, section=rule.section_title, text=rule.text) for rule in rules]
