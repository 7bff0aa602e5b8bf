"""The rows of one table, made from its log entries. Pure: entries in, rows out.

All results come from the answers of `score` and `audit`, so they cannot disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from msgspec import Raw, Struct, json, structs

from ledger.errors import MalformedError, in_stream
from ledger.events import DIRECTOR_TYPES, Corrected, DisputeRaised, Event, PlayerSeated, RulingGiven, TableOpened
from ledger.games.kernel.settlement import Account
from ledger.history.catalogue import phrase
from ledger.history.model.card_facts import card_order
from ledger.history.model.deal_documents import actions, after_rulings
from ledger.history.model.rows import (
    DealDocument,
    DisputeRow,
    FindingRow,
    PointRow,
    Rows,
    RulingRow,
    ScoreLineRow,
    SeatRow,
    TableRow,
)
from ledger.log.bulk import BulkReader, EntryPlace
from ledger.streams import SESSION, TABLE
from ledger.table.amendments import DirectorCorrections
from ledger.table.answers import DealScore, Finding, ScoreAnswer
from ledger.table.audit import deal_findings, opening_findings, violations_in_order
from ledger.table.corrections import corrected_reading
from ledger.table.fold import DECIDING_KINDS, DealRecord, TableFold
from ledger.table.people import persons_at
from ledger.table.repository import closings
from ledger.table.score import score_answer
from ledger.zones import UTC, day_of

SessionDay: TypeAlias = Callable[[str], str | None]
"""Returns the date of a session; None without a date or without such a session."""

NOBODY_LINKED: Final[Mapping[str, str]] = MappingProxyType({})

_encode = json.Encoder().encode


def collect_table(
    rows: Rows,
    table: str,
    source: BulkReader,
    until: int,
    session_day: SessionDay,
    persons: Mapping[str, str] = NOBODY_LINKED,
    known_until: int | None = None,
    zone: str = UTC,
) -> bool:
    """Add all rows of one table from its entries up to a log position; return whether it only got new deals.

    `session_day` returns a session's date, `persons` is the person of each linked spelling. A table without a session
    has the day on which it was opened, in the time zone `zone`.

    If the rows as of the position `known_until` are known, with the match not over, and the table only got new deals
    since, the unchanged rows of earlier deals are left out.

    Raise `MalformedError` for an invalid record, which an import would have rejected.
    """
    where = TABLE.stream(table)
    events = source.events(where, until)
    if not events:
        return False
    recorded = list(enumerate(events, start=1))
    reading = corrected_reading(recorded)
    if not reading or not isinstance(reading[0][1], TableOpened):
        raise MalformedError(phrase("model.no_table_opened"), where=in_stream(where))
    try:
        fold = TableFold(reading, recorded)
    except MalformedError as error:
        raise error.at(in_stream(where)) from None
    versions = {1, len(events)}
    for record in fold.deals:
        versions |= {record.version, fold.entries[record.end - 1][0]}
    places = source.places(where, versions)
    fold.opened_too_late = _was_closed(fold.opened.session, places[1].position, source, until)
    is_longer = known_until is not None and _has_only_new_deals(events, fold, places, known_until, persons)
    first_new = known_until if is_longer and known_until is not None else 0
    counted = persons_at(reading, persons)
    session = fold.opened.session
    day = (None if session is None else session_day(session)) or day_of(places[1].moment, zone)
    _TableRows(rows, table, fold, places, len(events), day, first_new, counted).collect()
    return is_longer


def _was_closed(session: str | None, position: int, source: BulkReader, until: int) -> bool:
    """Return whether the session had been closed before that position, as corrected."""
    if session is None:
        return False
    stream = SESSION.stream(session)
    closed = set(closings(corrected_reading(enumerate(source.events(stream, until), start=1))))
    return any(place.position < position for place in source.places(stream, closed).values()) if closed else False


_LOOKING_BACK: Final = DIRECTOR_TYPES | {Corrected}
"""Events that change earlier deals."""


def _has_only_new_deals(
    events: Sequence[Event],
    fold: TableFold,
    places: Mapping[int, EntryPlace],
    known_until: int,
    persons: Mapping[str, str],
) -> bool:
    """Return whether all entries after a position only add deals, and the earlier deals are finished.

    A player who sits down later may show that two linked names are two persons.
    """
    new = [record for record in fold.deals if places[record.version].position > known_until]
    if not new or any(type(event) in _LOOKING_BACK for event in events):
        return False
    if persons and any(type(event) is PlayerSeated for event in events):
        return False
    known = fold.deals[: len(fold.deals) - len(new)]
    if not known:
        return new[0].version == 2  # only table_opened was known
    last = known[-1]
    return last.status in ("complete", "voided") and places[fold.entries[last.end - 1][0]].position <= known_until


class _TableRows:
    """The rows of one table, while they are collected.

    `places`: of its first and last entry and those of each deal. Deals that begin at the log position `after` or before
    are left out. `persons`: the person of each linked spelling. `played_on`: the day of the table and of all its rows.
    """

    def __init__(
        self,
        rows: Rows,
        table: str,
        fold: TableFold,
        places: Mapping[int, EntryPlace],
        last_version: int,
        played_on: str,
        after: int,
        persons: Mapping[str, str],
    ) -> None:
        self.rows = rows
        self.table = table
        self.fold = fold
        self.places = places
        self.last_version = last_version
        self.after = after
        self.persons = persons
        self.decisions = [entry for entry in fold.entries if type(entry[1]) in DIRECTOR_TYPES]
        self.amendments = DirectorCorrections(fold)
        self.session = fold.opened.session
        self.played_on = played_on
        self.deal_numbered = {record.number: record for record in reversed(fold.deals)}
        self.adjustments = [
            (version, event)
            for version, event in self.decisions
            if type(event) is RulingGiven
            and event.kind == "adjust"
            and (version, event) not in fold.ignored_adjustments
        ]

    def _persons(self, players: Sequence[str]) -> list[str]:
        return [self.persons.get(player, player) for player in players]

    def collect(self) -> None:
        answer = score_answer(self.table, self.fold)
        self.statuses = {score.deal: score.status for score in reversed(answer.deals)}
        for record, score in zip(self.fold.deals, answer.deals, strict=True):
            if self.places[record.version].position > self.after:
                self._collect_deal(record, score)
        if not self.after:
            for finding in opening_findings(self.fold):
                self._add_finding(finding, (), {"session": self.session})
        self._collect_closing(answer)
        self._collect_disputes()
        self._collect_rulings()
        self._collect_seats(answer.match.winners)
        self.rows[TableRow].append(
            TableRow(
                table_name=self.table,
                session=self.session,
                game=self.fold.opened.game,
                seat_count=len(self.fold.players),
                options=Raw(_encode(_with_defaults(self.fold.options))),
                played_on=self.played_on,
                is_closed=self.fold.is_closed,
                is_over=answer.match.over,
                is_match="complete" in self.statuses.values(),
                state=Raw(_encode(answer.state)),
                first_position=self.places[1].position,
                last_position=self.places[self.last_version].position,
                last_digest=self.places[self.last_version].digest,
            )
        )

    def _collect_deal(self, record: DealRecord, score: DealScore) -> None:
        fold, players = self.fold, self._persons(record.players)
        view = record.machine.view()
        assert record.settlement is not None
        words = [line.words for line in record.settlement.lines]
        is_scored = score.status == "complete" and record.outcome is not None
        summary = fold.game.summarise(record.outcome) if is_scored else None
        adjustments = [one for _, one in self.adjustments if self.deal_numbered.get(one.deal) is record]
        ruled = after_rulings(fold, record, summary, adjustments)
        last_version = fold.entries[record.end - 1][0]
        self.rows[DealDocument].append(
            DealDocument(
                table_name=self.table,
                deal=record.number,
                session=self.session,
                game=fold.opened.game,
                played_on=self.played_on,
                started_at=self.places[record.version].moment,
                dealer=record.dealer,
                status=score.status,
                contract=view.contract,
                declarer=view.declarer,
                declarers=[] if summary is None else list(summary.played_by),
                partner=view.partner,
                trump=view.trump,
                result=None if summary is None else summary.result,
                declarer_won=ruled.declarer_won,
                is_ruled=ruled.is_ruled,
                outcome=Raw(_encode(score.outcome)),
                pool_before=score.pool_before,
                pool_after=score.pool_after,
                first_version=record.version,
                first_position=self.places[record.version].position,
                last_position=self.places[last_version].position,
                players=players,
                deltas=score.deltas,
                amounts=[] if ruled.amounts == score.deltas else ruled.amounts,
                seats_won=ruled.seats_won,
                card_order=card_order(fold.game, record.machine.laid()),
                line_rules=[line.rule for line in score.lines],
                line_payers=[_seat(line.source) for line in score.lines],
                line_payees=[_seat(line.target) for line in score.lines],
                line_amounts=[line.amount for line in score.lines],
                line_texts=[line.text for line in score.lines],
                line_codes=[one.key for one in words],
                line_values=[one.values or None for one in words],
                **actions(fold.entries[record.start + 1 : record.end], view, len(players)),
            )
        )
        for finding, violation in zip(deal_findings(fold, record), violations_in_order(record), strict=True):
            self._add_finding(finding, players, violation.words.values)

    def _add_finding(self, finding: Finding, players: Sequence[str], values: Mapping[str, Any]) -> None:
        player = None if finding.seat is None else players[finding.seat]
        row = FindingRow(table_name=self.table, player=player, values=values, **structs.asdict(finding))
        self.rows[FindingRow].append(row)

    def _collect_points(
        self,
        cause: str,
        deal: int | None,
        status: str | None,
        players: Sequence[str],
        amounts: Sequence[int],
    ) -> None:
        for seat, amount in enumerate(amounts):
            self.rows[PointRow].append(
                PointRow(
                    table_name=self.table,
                    deal=deal,
                    session=self.session,
                    game=self.fold.opened.game,
                    played_on=self.played_on,
                    status=status,
                    cause=cause,
                    seat=seat,
                    player=players[seat],
                    amount=amount,
                )
            )

    def _collect_closing(self, answer: ScoreAnswer) -> None:
        if answer.closing is None:
            return
        players = self._persons(self.fold.players)
        self._collect_points("closing", None, None, players, answer.closing.deltas)
        assert self.fold.closing is not None
        lines = zip(answer.closing.lines, self.fold.closing.lines, strict=True)
        for number, (line, closing_line) in enumerate(lines, start=1):
            payer, payee = _seat(line.source), _seat(line.target)
            self.rows[ScoreLineRow].append(
                ScoreLineRow(
                    table_name=self.table,
                    deal=None,
                    line=number,
                    rule=line.rule,
                    payer=payer,
                    payer_player=None if payer is None else players[payer],
                    payee=payee,
                    payee_player=None if payee is None else players[payee],
                    amount=line.amount,
                    explanation=line.text,
                    code=closing_line.words.key,
                    values=closing_line.words.values or None,
                )
            )

    def _players_of(self, deal: int) -> Sequence[str]:
        """Return the players of that deal; those at the end if there is no such deal."""
        record = self.deal_numbered.get(deal)
        return self._persons(self.fold.players if record is None else record.players)

    def _collect_disputes(self) -> None:
        raised = [(version, event) for version, event in self.decisions if type(event) is DisputeRaised]
        decided = {event.dispute: version for version, event in self.decisions if type(event) is RulingGiven}
        for number, (version, dispute) in enumerate(raised, start=1):
            seat = dispute.seat
            self.rows[DisputeRow].append(
                DisputeRow(
                    table_name=self.table,
                    deal=dispute.deal,
                    number=number,
                    seat=seat,
                    player=None if seat is None else self._players_of(dispute.deal)[seat],
                    explanation=dispute.text,
                    about_version=dispute.version,
                    ruling_version=decided.get(version),
                    corrected_by=self._corrected_by(version, dispute),
                    version=version,
                )
            )

    def _corrected_by(self, version: int, event: Event) -> list[int] | None:
        return [one.version for one in self.amendments.corrected_by(version, event)] or None

    def _collect_rulings(self) -> None:
        given = [(version, event) for version, event in self.decisions if type(event) is RulingGiven]
        deciding = {ruling.deal: ruling for _, ruling in given if ruling.kind in DECIDING_KINDS}
        for number, (version, ruling) in enumerate(given, start=1):
            self.rows[RulingRow].append(
                RulingRow(
                    table_name=self.table,
                    deal=ruling.deal,
                    number=number,
                    kind=ruling.kind,
                    explanation=ruling.text,
                    rule=ruling.rule,
                    deltas=ruling.deltas,
                    pool_change=ruling.pool,
                    award=None if ruling.award is None else Raw(_encode(ruling.award)),
                    dispute_version=ruling.dispute,
                    is_in_force=ruling.kind == "adjust" or ruling is deciding[ruling.deal],
                    corrected_by=self._corrected_by(version, ruling),
                    version=version,
                )
            )
        for _, ruling in self.adjustments:
            status = self.statuses.get(ruling.deal)
            self._collect_points("adjust", ruling.deal, status, self._players_of(ruling.deal), ruling.deltas or ())

    def _collect_seats(self, winners: Sequence[int]) -> None:
        players = self._persons(self.fold.players)
        seated: dict[tuple[int, str], list[int]] = {
            place: [] for place in [*enumerate(self._persons(self.fold.opened.players)), *enumerate(players)]
        }
        for record in self.fold.deals:
            for place in enumerate(self._persons(record.players)):
                seated.setdefault(place, []).append(record.number)
        for (seat, player), numbers in seated.items():
            self.rows[SeatRow].append(
                SeatRow(
                    table_name=self.table,
                    seat=seat,
                    player=player,
                    first_deal=numbers[0] if numbers else None,
                    last_deal=numbers[-1] if numbers else None,
                    deal_count=len(numbers),
                    is_seated=players[seat] == player,
                    is_winner=seat in winners and players[seat] == player,
                )
            )


def _with_defaults(options: Struct) -> dict[str, Any]:
    """Return all options of a table by name, defaults included."""
    return {field.encode_name: getattr(options, field.name) for field in structs.fields(options)}


def _seat(place: Account) -> int | None:
    """Return the seat, or None for a pool."""
    return place if isinstance(place, int) else None
