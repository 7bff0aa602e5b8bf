"""What somebody decided or put right about a deal: disputes, rulings, corrections, and those that were struck."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from ledger.table.amendments import DIRECTORS_TYPES
from ledger.table.answers import DealScore, Ruling
from ledger.table.disputes import Dispute, disputes_of
from ledger.table.fold import DealRecord, TableFold
from ledger.table.two_readings import corrected_entries
from ledger.text.amended import Amendments
from ledger.text.cards import amount_text, amounts_text
from ledger.text.case import ruling_state
from ledger.text.deal import correction_values
from ledger.text.disputes import about_text
from ledger.text.site.replay.facts import Judged, Link
from ledger.text.site.replay.rules import rule_of
from ledger.text.site.words import say
from ledger.text.words import label, written_wording_for

Linking = Callable[[str, int], Link]
LinksOf = Callable[[int], Iterable[Link]]


def judged_of(
    fold: TableFold, record: DealRecord, score: DealScore, link: Linking, links_of: LinksOf, lang: str
) -> Iterator[Judged]:
    """Disputes, then rulings, then corrections. `links_of`: where more can be read of a dispute, or done about it."""
    amendments = Amendments(written_wording_for(fold.game, lang), fold.signed)
    for dispute in disputes_of(fold):
        if dispute.deal == record.number:
            yield _dispute(dispute, record.players, amendments, link, links_of)
    for ruling in score.rulings:
        yield _ruling(fold, ruling, record.players, amendments)
    struck = list(amendments.struck(score.struck, record.players))
    if struck:
        yield Judged(stamp=say(lang, "replay.corrected"), text=struck[0], notes=[one.strip() for one in struck[1:]])
    for seen in corrected_entries(fold, record):
        if not isinstance(seen.written, DIRECTORS_TYPES):
            values = correction_values(seen, record.players, amendments.wording)
            yield Judged(
                stamp=say(lang, "replay.corrected"),
                text=label(lang, "case.correction_line", **values),
                notes=[amendments.by(seen)],
                links=[link(say(lang, "replay.entry", version=seen.corrects), seen.corrects)],
            )


def _dispute(
    dispute: Dispute, players: Sequence[str], amendments: Amendments, link: Linking, links_of: LinksOf
) -> Judged:
    lang = amendments.wording.lang
    state = [label(lang, f"case.state_{dispute.state}")]
    if dispute.player is not None:
        state.append(label(lang, "case.raised_by", name=dispute.player))
    links = []
    if dispute.about is not None:
        links.append(link(about_text(dispute, lang), dispute.about))
    links += links_of(dispute.version)
    return Judged(
        stamp=say(lang, "replay.dispute"),
        text=dispute.text,
        notes=[label(lang, "list").join(state), *amendments.corrected(dispute.corrected_by, players)],
        links=links,
        is_stale=_stale(dispute.stale, lang),
    )


def _ruling(fold: TableFold, ruling: Ruling, players: Sequence[str], amendments: Amendments) -> Judged:
    lang, wording = amendments.wording.lang, amendments.wording
    moved = [] if ruling.deltas is None else [amounts_text(ruling.deltas, players, lang)]
    if ruling.pool is not None:
        moved.append(wording.say("told.pool_moved", amount=amount_text(ruling.pool)))
    told = f" {wording.listed(moved)}" if moved else ""
    return Judged(
        stamp=say(lang, "replay.ruling"),
        text=label(lang, "case.ruling", kind=wording.word(ruling.kind), moved=told, text=ruling.text),
        rule=None if ruling.rule is None else rule_of(fold.game, ruling.rule),
        notes=[
            label(lang, "list").join((say(lang, "replay.entry", version=ruling.version), ruling_state(ruling, lang))),
            *amendments.corrected(ruling.corrected_by, players),
        ],
        is_stale=_stale(ruling.stale, lang),
    )


def _stale(stale: Sequence[int], lang: str) -> str:
    return label(lang, "case.stale", entries=label(lang, "list").join(map(str, stale))) if stale else ""
