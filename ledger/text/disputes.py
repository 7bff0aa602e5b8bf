"""The disputes of a table with their outcomes, and corrections of disputes and rulings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from ledger.events import DirectorEvent, DisputeRaised
from ledger.table.amendments import DirectorCorrections
from ledger.table.answers import CorrectedBy, Struck
from ledger.table.corrections import Signature
from ledger.table.disputes import Dispute, DisputeAtTable
from ledger.table.fold import TableFold
from ledger.table.two_readings import CorrectionSeen
from ledger.text.catalogue import Wording, label, wording_for, writer_name
from ledger.text.events import continued, whole_event_text
from ledger.zones import moment_text

_INDENT: Final = "    "


class Amendments(Struct, frozen=True):
    """Formats corrections of a director's entries. `signed`: who recorded them, by version; `zones`: time zones
    to try.
    """

    wording: Wording
    signed: Mapping[int, Signature]
    zones: tuple[str | None, ...] = ()

    def corrected(self, corrections: Sequence[CorrectedBy], players: Sequence[str]) -> Iterator[str]:
        """Yield a line for each correction, with the text before it."""
        for one in corrections:
            was = whole_event_text(one.was, players, self.wording) if one.was else self.wording.say("nothing")
            yield self.wording.say("amended.by_was", by=self._by(one), was=was)

    def struck(self, struck: Sequence[Struck], players: Sequence[str]) -> Iterator[str]:
        """Yield each struck entry, with the correction that struck it below, further ones indented."""
        for one in struck:
            what = whole_event_text(one.event, players, self.wording)
            yield self.wording.say("amended.struck", version=one.version, what=what)
            if len(one.corrected_by) == 1:
                yield _INDENT + self._by(one.corrected_by[0])
            else:
                yield from (_INDENT + line for line in self.corrected(one.corrected_by, players))

    def by(self, seen: CorrectionSeen) -> str:
        """Return the correction of an entry, for a director's entry with name and time."""
        if any(isinstance(event, DirectorEvent) for event in (seen.written, *seen.read)):
            return self._by(seen)
        return self.wording.say("by_correction", version=seen.version, reason=seen.reason)

    def _by(self, one: CorrectedBy | CorrectionSeen) -> str:
        return self.wording.say(
            "amended.by", version=one.version, signed=self._signature(one.version), reason=one.reason
        )

    def _signature(self, version: int) -> str:
        signature = self.signed.get(version)
        if signature is None:
            return ""
        at, by = signature.recorded_at, signature.recorded_by
        name = writer_name(by, self.wording.lang) if self.wording.is_written else by
        parts = [name] if at is None else [name, moment_text(at, *self.zones)]
        return self.wording.say("amended.signed", by=self.wording.listed(parts))


def disputes_text(
    table: str, disputes: Sequence[Dispute], fold: TableFold, deal: int | None, lang: str, tz: str | None = None
) -> Iterator[str]:
    """Yield two lines for each dispute, place and text; its corrections below; struck disputes last.

    `deal`: the only deal to include, or None. Times are in `tz`, by default in the machine's zone.
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
    struck = [one for one in DirectorCorrections(fold).struck(deal) if isinstance(one.event, DisputeRaised)]
    yield from map(continued, amendments.struck(struck, fold.players))


def open_disputes_text(disputes: Sequence[DisputeAtTable], lang: str) -> Iterator[str]:
    """Yield two lines for each dispute: its table and subject, and its text."""
    if not disputes:
        yield label(lang, "dispute.none_open")
    for one in disputes:
        about = "" if one.about is None else label(lang, "list") + about_text(one, lang)
        by = "" if one.player is None else label(lang, "dispute.by", name=one.player)
        yield label(lang, "dispute.at_table", table=one.table, version=one.version, deal=one.deal, about=about, by=by)
        yield continued(f"  {one.text}")


def stale_text(corrections: Sequence[int], lang: str) -> str:
    """Return a remark with the corrected entries that a decision depends on; empty if there are none."""
    if not corrections:
        return ""
    return label(lang, "stale_since", entries=label(lang, "list").join(map(str, corrections)))


def about_text(dispute: Dispute, lang: str) -> str:
    """Return the entry or the ruling that a dispute is about; empty if it names none."""
    if dispute.about is None:
        return ""
    key = "case.about_entry" if dispute.appeals is None else "case.appeal"
    return label(lang, key, version=dispute.about)


def _rulings(dispute: Dispute, lang: str) -> str:
    """Return the rulings on a dispute, each with the one that overruled it."""
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
