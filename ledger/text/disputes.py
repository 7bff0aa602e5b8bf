"""The disputes of a table, and what became of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ledger.events import DisputeRaised
from ledger.table.amendments import Amended
from ledger.table.disputes import Dispute, DisputeAtTable
from ledger.table.fold import TableFold
from ledger.text.amended import Amendments
from ledger.text.events import continued
from ledger.text.score import stale_text
from ledger.text.words import label, wording_for


def disputes_text(
    table: str, disputes: Sequence[Dispute], fold: TableFold, deal: int | None, lang: str, tz: str | None = None
) -> Iterator[str]:
    """Two lines a dispute: where it stands, and what it says; below it what was corrected of it, last what was struck.

    `fold`: the table; `deal`: the one that is asked about. Times are those of `tz`, else of the machine's zone.
    """
    amendments = Amendments(wording_for(fold.game, lang, fold.pack), fold.signed, (tz,))
    if not disputes:
        yield label(lang, "dispute.none", table=table)
    for one in disputes:
        about = "" if one.about is None else label(lang, "list") + about_text(one, lang)
        by = "" if one.player is None else label(lang, "dispute.by", name=one.player)
        where = label(lang, "dispute.where", version=one.version, deal=one.deal, about=about, by=by)
        state = label(lang, f"case.state_{one.state}")
        yield where + state + _rulings(one, lang) + stale_text(one.stale, lang)
        yield continued(f"  {one.text}")
        yield from _further_in(amendments.corrected(one.corrected_by, fold.players))
        yield from _further_in(amendments.struck(one.struck, fold.players))
    struck = [one for one in Amended(fold).struck(deal) if isinstance(one.event, DisputeRaised)]
    yield from map(continued, amendments.struck(struck, fold.players))


def open_disputes_text(disputes: Sequence[DisputeAtTable], lang: str) -> Iterator[str]:
    """Two lines a dispute: at which table and about what, and what it says."""
    if not disputes:
        yield label(lang, "dispute.none_open")
    for one in disputes:
        about = "" if one.about is None else label(lang, "list") + about_text(one, lang)
        by = "" if one.player is None else label(lang, "dispute.by", name=one.player)
        yield label(lang, "dispute.at_table", table=one.table, version=one.version, deal=one.deal, about=about, by=by)
        yield continued(f"  {one.text}")


def about_text(dispute: Dispute, lang: str) -> str:
    """About which entry it is, or against which ruling; empty where it names none."""
    if dispute.about is None:
        return ""
    key = "case.about_entry" if dispute.appeals is None else "case.appeal"
    return label(lang, key, version=dispute.about)


def _rulings(dispute: Dispute, lang: str) -> str:
    """The rulings that name it, each with the one that overruled it."""
    overruled = {one.version: one.by for one in dispute.overruled}
    named = (
        label(lang, "dispute.of_ruling", ruling=version, by=overruled[version])
        if version in overruled
        else str(version)
        for version in dispute.rulings
    )
    rulings = label(lang, "list").join(named)
    return label(lang, "dispute.rulings", rulings=rulings) if rulings else ""


def _further_in(lines: Iterator[str]) -> Iterator[str]:
    return (continued(f"    {line}") for line in lines)
