"""A case sheet as plain text for a terminal or an email, and the parts that its page shows, too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ledger.cases.facts import CaseSheet, InQuestion, ScoreOnBasis
from ledger.table.answers import Ruling
from ledger.table.corrections import Signature
from ledger.table.disputes import Dispute
from ledger.text.audit import gathered_within, revoke_sentences, severity_text
from ledger.text.cards import (
    amount_text,
    amounts_text,
    card_text,
    cards_text,
    hand_text,
    legal_value,
    player_totals_text,
)
from ledger.text.catalogue import Wording, book_note, label, title_text, wording_for_title
from ledger.text.deal import auction_text, contract_facts, correction_values, laid, won_text
from ledger.text.disputes import Amendments, about_text
from ledger.text.events import continued, event_text, exchange_text, partner_call_text, whole_event_text
from ledger.text.layout import in_columns, padded, width_of
from ledger.text.score import Payment, missing_text, payments_of
from ledger.zones import moment_text


def case_text(sheet: CaseSheet, lang: str = "en", tz: str | None = None) -> Iterator[str]:
    """Yield the lines of the sheet: dispute, deal, trick in question, findings, score, rulings, log.

    Times are in the session's zone; if it has none, in `tz`, by default in the machine's.
    """
    wording = wording_for_title(sheet.game, lang, sheet.pack)
    yield from map(continued, map(wording.cards, _lines(sheet, lang, tz)))


def _lines(sheet: CaseSheet, lang: str, tz: str | None) -> Iterator[str]:
    yield from _head(sheet, lang, tz)
    amendments = amendments_of(sheet, lang, tz)
    yield from (f"  {line}" for line in amendments.corrected(sheet.dispute.corrected_by, sheet.players))
    yield from _deal(sheet, lang)
    if sheet.in_question is not None:
        yield from _in_question(sheet, sheet.in_question, amendments)
    yield from _tricks(sheet, lang)
    yield from _findings(sheet, lang)
    yield from _corrections(sheet, amendments)
    yield from _score(sheet, lang)
    yield from _rulings(sheet, amendments)
    yield from _log(sheet, lang)


def amendments_of(sheet: CaseSheet, lang: str, tz: str | None) -> Amendments:
    """Return how corrections of the dispute and of rulings are shown on this sheet."""
    signed = {one.version: Signature(one.recorded_by, one.recorded_at) for one in sheet.rests_on}
    return Amendments(wording_for_title(sheet.game, lang), signed, (sheet.zone, tz))


def recorded_as(question: InQuestion, amendments: Amendments, players: Sequence[str]) -> str | None:
    """Return what was recorded before a correction replaced the entry in question; None if none did."""
    seen = question.correction
    if seen is None:
        return None
    written = whole_event_text(seen.written, players, amendments.wording)
    return amendments.wording.say("case.recorded_as", written=written, by=amendments.by(seen))


def ruling_state(ruling: Ruling, lang: str) -> str:
    """Return whether a ruling is in force, or which one overruled it."""
    if ruling.overruled_by is None:
        return label(lang, "case.in_force" if ruling.in_force else "overruled")
    return label(lang, "overruled_by", version=ruling.overruled_by)


def _head(sheet: CaseSheet, lang: str, tz: str | None) -> Iterator[str]:
    deal = label(lang, "case.deal", deal=sheet.deal)
    dealer = label(lang, "case.deals", name=sheet.players[sheet.dealer])
    yield f"{label(lang, 'case.title')} · {sheet.table} · {title_text(sheet.game, lang)} · {deal} · {dealer}"
    key, moment = played_or_recorded(sheet)
    yield f"{label(lang, key)} {moment_text(moment, sheet.zone, tz)}"
    dispute = label(lang, "with_remark", text=sheet.dispute.text, remark=state_text(sheet.dispute, lang))
    yield _of(lang, "case.dispute", dispute)


def _deal(sheet: CaseSheet, lang: str) -> Iterator[str]:
    wording = wording_for_title(sheet.game, lang)
    yield from _title(lang, "case.dealt")
    yield from _hands(sheet.hands, sheet.players)
    if sheet.stock:
        yield "  " + _of(lang, "case.stock", cards_text(sheet.stock))
    if sheet.auction:
        yield "  " + _of(lang, "case.auction", auction_text(sheet.auction, sheet.players, wording))
    if sheet.turned:
        yield "  " + _of(lang, "case.turned", cards_text(sheet.turned))
    for called in sheet.called:
        yield "  " + _of(lang, "case.called", partner_call_text(called, sheet.players, wording, is_labelled=True))
    contract = wording.listed(contract_parts(sheet, wording))
    if contract:
        yield f"  {contract}"
    for exchange in sheet.exchanges:
        yield "  " + _of(lang, "case.exchange", exchange_text(exchange, sheet.players, wording, is_labelled=True))
    if sheet.announced:
        said = (event_text(one, sheet.players, wording) for one in sheet.announced)
        yield "  " + _of(lang, "case.announced", wording.listed(said))


def played_or_recorded(sheet: CaseSheet) -> tuple[str, str]:
    """Return label and time of the deal: when it was played, if known; old papers are recorded years later."""
    return ("case.recorded_at", sheet.recorded_at) if sheet.happened_at is None else ("case.at", sheet.happened_at)


def state_text(dispute: Dispute, lang: str) -> str:
    """Return the state of a dispute, who raised it, and the entry that it is about."""
    parts = [label(lang, f"case.state_{dispute.state}")]
    if dispute.player is not None:
        parts.append(label(lang, "case.raised_by", name=dispute.player))
    if dispute.about is not None:
        parts.append(about_text(dispute, lang))
    return label(lang, "list").join(parts)


def contract_parts(sheet: CaseSheet, wording: Wording) -> Iterator[str]:
    """Yield contract, trumps, declarer and partner, as far as there are any."""
    for key, fact in contract_facts(sheet, sheet.partner, sheet.players, wording).items():
        yield f"{wording.say(key)} {fact}"


def question_title(question: InQuestion, lang: str) -> str:
    """Return a title such as `In question: trick 5 (step 24, entry 25)`."""
    step = label(lang, "case.step", step=question.step, version=question.version)
    key = "case.question" if question.trick is None else "case.question_trick"
    return label(lang, "with_remark", text=label(lang, key, trick=question.trick), remark=step)


def legal_text(question: InQuestion, wording: Wording) -> str:
    """Return the legal alternatives to the entry in question."""
    legal = "  ".join(legal_value(value, wording) for value in question.legal)
    return legal or wording.say("case.nothing_listed")


def _in_question(sheet: CaseSheet, question: InQuestion, amendments: Amendments) -> Iterator[str]:
    wording = amendments.wording
    lang = wording.lang
    yield ""
    yield question_title(question, lang)
    recorded = recorded_as(question, amendments, sheet.players)
    yield f"  {whole_event_text(question.event, sheet.players, wording)}" + (" *" if recorded else "")
    if recorded:
        yield f"  * {recorded}"
    if question.trick is not None:
        yield f"  {_trick(sheet, question.trick, lang)}"
    yield f"  {label(lang, 'case.hand_before')}"
    yield from _hands(question.hands_before, sheet.players, indent=4)
    yield "  " + _of(lang, "case.was_legal", legal_text(question, wording))
    if question.why:
        yield f"  {label(lang, 'case.why')}"
    for rule in question.why:
        broken = f" [{label(lang, 'case.broken')}]" if rule.is_broken else ""
        yield f"    {rule.rule}{broken} {rule.text}"


def _tricks(sheet: CaseSheet, lang: str) -> Iterator[str]:
    if sheet.tricks:
        yield from _title(lang, "case.tricks")
    for number in range(1, len(sheet.tricks) + 1):
        mark = ">" if sheet.in_question is not None and sheet.in_question.trick == number else " "
        yield f"{mark} {number:>2}  {_trick(sheet, number, lang)}"


def _trick(sheet: CaseSheet, number: int, lang: str) -> str:
    trick = sheet.tricks[number - 1]
    row = "  ".join(f"{card_text(card)} {sheet.players[seat]}" for seat, card in laid(trick))
    won = won_text(trick, sheet.players, lang)
    return f"{row}  → {won}" if won else row


def _findings(sheet: CaseSheet, lang: str) -> Iterator[str]:
    yield from _title(lang, "case.findings")
    if not sheet.findings:
        yield f"  {label(lang, 'case.none')}"
    for seen in gathered_within(sheet.findings, lang):
        finding = seen.finding
        entry = label(lang, "case.about_entry", version=finding.version)
        named = label(lang, "with_remark", text=f"{severity_text(finding, lang)} {finding.code}", remark=entry)
        yield "  " + label(lang, "case.finding", named=named, message=finding.message)
        if seen.rule_text is not None:
            yield f"    {finding.rule} {seen.rule_text}"
    if note := book_note(sheet.game, lang):
        yield f"  {note}"
    for revoke in sheet.revokes:
        entry = label(lang, "case.about_entry", version=revoke.version)
        yield "  " + label(lang, "with_remark", text=label(lang, "case.revoke"), remark=entry)
        for sentence in revoke_sentences(revoke, sheet.players, lang):
            yield f"    {sentence}"


def _corrections(sheet: CaseSheet, amendments: Amendments) -> Iterator[str]:
    lang = amendments.wording.lang
    if sheet.corrections:
        yield from _title(lang, "case.corrections")
    for seen in sheet.corrections:
        values = correction_values(seen, sheet.players, amendments.wording)
        yield f"  {label(lang, 'case.correction_line', **values)}"
        yield f"    {amendments.by(seen)}"


def _score(sheet: CaseSheet, lang: str) -> Iterator[str]:
    yield from _title(lang, "case.score")
    yield from in_columns(score_rows(sheet, wording_for_title(sheet.game, lang)))
    for totals in totals_text(sheet, lang):
        yield f"  {totals}"
    if sheet.unscorable is not None:
        yield f"  {missing_text(sheet.unscorable, wording_for_title(sheet.game, lang))}"
    if sheet.sheet_stale:
        yield f"  {label(lang, 'case.stale_sheet', entries=sheet.sheet_stale)}"
    for line in payments_of(sheet.lines, sheet.players, lang):
        yield "  " + "  ".join(payment_cells(line))


def score_rows(sheet: CaseSheet, wording: Wording) -> list[list[str]]:
    """Return the deal's score on each basis: amounts, the pool if it held anything, the result; headings first."""
    lang = wording.lang
    has_pool = any(seen.pool_after for seen in sheet.scores)
    pool = [label(lang, "pool")] if has_pool else []
    head = ["", *sheet.players, *pool, label(lang, "result")]
    return [head, *(_score_row(seen, sheet, has_pool, wording) for seen in sheet.scores)]


def totals_text(sheet: CaseSheet, lang: str) -> Iterator[str]:
    """Yield the totals after the deal on each basis that has any."""
    for seen in sheet.scores:
        if seen.totals is not None:
            basis = label(lang, f"case.basis_{seen.basis}")
            amounts = player_totals_text(seen.totals, sheet.players, seen.points, lang)
            yield label(lang, "of", name=label(lang, "case.totals", basis=basis), what=amounts)


def payment_cells(line: Payment) -> list[str]:
    """Return a payment's rule, parties, amount and reason."""
    return [line.rule or "–", f"{line.source} → {line.target}", str(line.amount), line.text]


def _score_row(seen: ScoreOnBasis, sheet: CaseSheet, has_pool: bool, wording: Wording) -> list[str]:
    deltas = ["–"] * len(sheet.players) if seen.deltas is None else [amount_text(amount) for amount in seen.deltas]
    pool = ["–" if seen.pool_after is None else str(seen.pool_after)] if has_pool else []
    return [
        wording.say(f"case.basis_{seen.basis}"),
        *deltas,
        *pool,
        result_seen(seen, wording),
    ]


def result_seen(seen: ScoreOnBasis, wording: Wording) -> str:
    """Return the deal's result on a basis, or its status if it has none."""
    return wording.word(seen.result) if seen.result else wording.word(seen.status) if seen.status else ""


def _rulings(sheet: CaseSheet, amendments: Amendments) -> Iterator[str]:
    lang = amendments.wording.lang
    yield from _title(lang, "case.rulings")
    if not sheet.rulings:
        yield f"  {label(lang, 'case.not_ruled')}"
    for seen in sheet.rulings:
        ruling = seen.ruling
        state = [ruling_state(ruling, lang)]
        if ruling.stale:
            state.append(label(lang, "case.stale", entries=ruling.stale))
        moved = "" if ruling.deltas is None else f" {amounts_text(ruling.deltas, sheet.players, lang)}"
        entry = label(lang, "audit.at_entry", version=ruling.version)
        kind = wording_for_title(sheet.game, lang).word(ruling.kind)
        decision = label(lang, "case.ruling", kind=kind, moved=moved, text=ruling.text)
        yield f"  {entry} · " + label(lang, "with_remark", text=decision, remark=label(lang, "clauses").join(state))
        if seen.rule_text is not None:
            yield f"    {ruling.rule} {seen.rule_text}"
        yield from (f"    {line}" for line in amendments.corrected(ruling.corrected_by, sheet.players))
    yield from (f"  {line}" for line in amendments.struck(sheet.struck, sheet.players))


def _log(sheet: CaseSheet, lang: str) -> Iterator[str]:
    yield from _title(lang, "case.rests_on")
    rows = [[label(lang, key) for key in ("case.entry", "case.position", "case.what", "case.by", "digest")]]
    rows += [
        [str(one.version), str(one.position), label(lang, f"case.what_{one.what}"), one.recorded_by, one.digest or ""]
        for one in sheet.rests_on
    ]
    yield from in_columns(rows)
    head = label(lang, "list").join((f"{label(lang, 'case.position')} {sheet.head_position}", sheet.head_digest or ""))
    yield "  " + _of(lang, "case.head", head)


def _of(lang: str, key: str, what: str) -> str:
    """Return `calls: Ada pass, Ben solo`."""
    return label(lang, "of", name=label(lang, key), what=what)


def _title(lang: str, key: str) -> Iterator[str]:
    yield ""
    yield label(lang, key)


def _hands(hands: Sequence[Sequence[str]], players: Sequence[str], indent: int = 2) -> Iterator[str]:
    width = width_of(players)
    for name, hand in zip(players, hands, strict=True):
        yield f"{' ' * indent}{padded(name, width)}  {hand_text(hand)}"
