"""What a correction or a ruling changes, as its author checks it: score before and after, findings, what is stale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from ledger.recording.adding import Added
from ledger.recording.sessions import SessionAddition
from ledger.table.comparison import Comparison, DealChange
from ledger.text.audit import finding_text, gathered
from ledger.text.cards import amount_text
from ledger.text.columns import padded
from ledger.text.score import score_cells, score_table
from ledger.text.words import Wording, label

if TYPE_CHECKING:
    from rich.table import Table

_WORD_COLUMNS: Final = 10


def change_table(change: Comparison, players: Sequence[str], has_pool: bool, wording: Wording) -> Table:
    """Each deal that is shown, then the totals, before and after."""
    shown = score_table("", players, has_pool, wording.lang)
    for deal in change.deals:
        for key, score in (("change.deal_before", deal.before), ("change.deal_after", deal.after)):
            if score is None:
                cells = ["–"] * len(players) + [""] * has_pool + [wording.say("no_such_deal")]
            else:
                cells = score_cells(score, has_pool, wording)
            shown.add_row(wording.say(key, deal=deal.deal), *cells)
    for key, totals in (("change.total_before", change.totals_before), ("change.total_after", change.totals_after)):
        shown.add_row(wording.say(key), *map(amount_text, totals))
    return shown


def change_words(change: Comparison, wording: Wording) -> Iterator[str]:
    """The findings that go and come, and the decisions that rest on what was read before."""
    for deal in change.deals:
        for key, findings in (("change.no_longer", deal.gone), ("change.new", deal.new)):
            for found in gathered(findings, wording.lang):
                yield _named(key, wording.cards(finding_text(found, wording.lang)), wording)
        for told in stale_words(deal, wording):
            yield _named("change.stale", told, wording)


def _named(key: str, told: str, wording: Wording) -> str:
    return padded(wording.say(key), _WORD_COLUMNS) + told


def stale_words(deal: DealChange, wording: Wording) -> Iterator[str]:
    """Return the decisions that are stale now and were not before."""
    if deal.after is None:
        return
    known = set() if deal.before is None else {ruling.version for ruling in deal.before.rulings if ruling.stale}
    for ruling in deal.after.rulings:
        if ruling.stale and ruling.version not in known:
            kind = wording.word(ruling.kind)
            yield wording.say("change.stale_ruling", version=ruling.version, kind=kind, text=ruling.text)
    was_stale = deal.before is not None and deal.before.claimed is not None and deal.before.claimed.stale
    if deal.after.claimed is not None and deal.after.claimed.stale and not was_stale:
        yield wording.say("change.stale_sheet", deal=deal.deal, version=deal.after.claimed.version)


def receipt_words(added: Added, lang: str) -> str:
    """Where it stands now."""
    if added.more:
        return _receipt_of_several(added, lang)
    return receipt_line(added.table, added, lang)


def receipt_line(where: str, added: Added | SessionAddition, lang: str) -> str:
    """Where it stands in what is called so."""
    if added.position is None:
        return label(lang, "addition.not_recorded", version=added.version, table=where)
    key = "addition.recorded_before" if added.already_recorded else "addition.recorded"
    return label(lang, key, version=added.version, table=where, position=added.position)


def _receipt_of_several(added: Added, lang: str) -> str:
    first, last, table = added.version, added.version + len(added.more), added.table
    if added.position is None:
        return label(lang, "addition.not_recorded_run", version=first, last=last, table=table)
    key = "addition.recorded_before_run" if added.already_recorded else "addition.recorded_run"
    return label(lang, key, version=first, last=last, table=table, position=added.position)
