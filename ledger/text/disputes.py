"""The disputes of a table, and what became of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ledger.table.disputes import Dispute
from ledger.text.events import continued
from ledger.text.score import stale_text
from ledger.text.words import label


def disputes_text(table: str, disputes: Sequence[Dispute], lang: str) -> Iterator[str]:
    """Two lines a dispute: where it stands, and what it says."""
    if not disputes:
        yield label(lang, "dispute.none", table=table)
    for one in disputes:
        about = "" if one.about is None else label(lang, "dispute.about", version=one.about)
        by = "" if one.player is None else label(lang, "dispute.by", name=one.player)
        where = label(lang, "dispute.where", version=one.version, deal=one.deal, about=about, by=by)
        rulings = label(lang, "list").join(map(str, one.rulings))
        state = label(lang, f"case.state_{one.state}")
        by_which = label(lang, "dispute.rulings", rulings=rulings) if rulings else ""
        yield where + state + by_which + stale_text(one.stale, lang)
        yield continued(f"  {one.text}")
