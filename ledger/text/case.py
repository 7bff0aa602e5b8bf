"""A case sheet as plain text, for a terminal or a mail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len

from ledger.cards import SYMBOLS
from ledger.cases.facts import CaseSheet, InQuestion, ScoreSeen
from ledger.events import BidMade, CardsExchanged, PartnerCalled
from ledger.games.kernel.views import TrickView
from ledger.table.answers import Call
from ledger.text.cards import amount_text, amounts_text, card_text, cards_text, hand_text, value_text
from ledger.text.case.words import label, moment_text, revoke_sentences
from ledger.text.events import continued, event_text, whole_event_text


def case_text(sheet: CaseSheet, lang: str = "en") -> Iterator[str]:
    """The lines of the sheet: the dispute, the deal, the trick in question, findings, score, ruling, the log."""
    yield from map(continued, _lines(sheet, lang))


def _lines(sheet: CaseSheet, lang: str) -> Iterator[str]:
    yield from _head(sheet, lang)
    yield from _deal(sheet, lang)
    if sheet.in_question is not None:
        yield from _in_question(sheet, sheet.in_question, lang)
    yield from _tricks(sheet, lang)
    yield from _findings(sheet, lang)
    yield from _corrections(sheet, lang)
    yield from _score(sheet, lang)
    yield from _rulings(sheet, lang)
    yield from _log(sheet, lang)


def _head(sheet: CaseSheet, lang: str) -> Iterator[str]:
    dispute = sheet.dispute
    deal = label(lang, "deal", deal=sheet.deal)
    dealer = label(lang, "deals", name=sheet.players[sheet.dealer])
    yield f"{label(lang, 'title')} · {sheet.table} · {sheet.game} · {deal} · {dealer}"
    key, moment = played_or_recorded(sheet)
    yield f"{label(lang, key)} {moment_text(moment)}"
    by = [] if dispute.player is None else [label(lang, "raised_by", name=dispute.player)]
    about = [] if dispute.about is None else [label(lang, "about_entry", version=dispute.about)]
    told = ", ".join([label(lang, f"state_{dispute.state}"), *by, *about])
    yield f"{label(lang, 'dispute')}: {dispute.text} ({told})"


def _deal(sheet: CaseSheet, lang: str) -> Iterator[str]:
    yield from _title(lang, "dealt")
    yield from _hands(sheet.hands, sheet.players)
    if sheet.stock:
        yield f"  {label(lang, 'stock')}: {cards_text(sheet.stock)}"
    if sheet.auction:
        yield f"  {label(lang, 'auction')}: {', '.join(call_text(call, sheet.players) for call in sheet.auction)}"
    if sheet.turned:
        yield f"  {label(lang, 'turned')}: {cards_text(sheet.turned)}"
    for called in sheet.called:
        yield f"  {label(lang, 'called')}: {called_text(called, sheet.players, lang)}"
    contract = ", ".join(contract_parts(sheet, lang))
    if contract:
        yield f"  {contract}"
    for exchange in sheet.exchanges:
        yield f"  {label(lang, 'exchange')}: {exchange_text(exchange, sheet.players, lang)}"
    if sheet.announced:
        said = (event_text(one, sheet.players) for one in sheet.announced)
        yield f"  {label(lang, 'announced')}: {', '.join(said)}"


def played_or_recorded(sheet: CaseSheet) -> tuple[str, str]:
    """Label and moment of the deal: of the play where it was told, for old papers are recorded years later."""
    return ("at", sheet.happened_at) if sheet.happened_at is not None else ("recorded_at", sheet.recorded_at)


def call_text(call: Call, players: Sequence[str]) -> str:
    """A call of the auction, with the card that it names."""
    return event_text(BidMade(seat=call.seat, call=call.call, card=call.card), players)


def called_text(called: PartnerCalled, players: Sequence[str], lang: str) -> str:
    """Who called which card, whose holder becomes the partner."""
    card = label(lang, "none") if called.card is None else card_text(called.card)
    return f"{players[called.seat]} {card}"


def contract_parts(sheet: CaseSheet, lang: str) -> Iterator[str]:
    """The contract, trumps, declarer and partner, as far as there are any."""
    if sheet.contract is not None:
        yield f"{label(lang, 'contract')} {sheet.contract}"
    if sheet.trump is not None:
        yield f"{label(lang, 'trumps')} {SYMBOLS[sheet.trump]}"
    for key, seat in (("declarer", sheet.declarer), ("partner", sheet.partner)):
        if seat is not None:
            yield f"{label(lang, key)} {sheet.players[seat]}"


def exchange_text(exchange: CardsExchanged, players: Sequence[str], lang: str) -> str:
    """Who exchanged how many cards, and which, as far as that is told."""
    told = [f"{players[exchange.seat]} {label(lang, 'exchanged', count=exchange.count)}"]
    for key, cards in (("put_aside", exchange.discarded), ("drew", exchange.drawn)):
        if cards:
            told.append(label(lang, key, cards=cards_text(cards)))
    return ", ".join(told)


def question_title(question: InQuestion, lang: str) -> str:
    """`In question: trick 5 (step 24, entry 25)`."""
    step = label(lang, "step", step=question.step, version=question.version)
    key = "question" if question.trick is None else "question_trick"
    return f"{label(lang, key, trick=question.trick)} ({step})"


def trick_reason(trick: TrickView, lang: str) -> str:
    """Why the winner won; empty where that is not known."""
    return "" if trick.won_by is None else label(lang, f"by_{trick.won_by}")


def _in_question(sheet: CaseSheet, question: InQuestion, lang: str) -> Iterator[str]:
    yield ""
    yield question_title(question, lang)
    yield f"  {whole_event_text(question.event, sheet.players)}"
    if question.trick is not None:
        yield f"  {_trick(sheet, question.trick, lang)}"
    yield f"  {label(lang, 'hand_before')}"
    yield from _hands(question.hands_before, sheet.players, indent=4)
    legal = "  ".join(map(value_text, question.legal)) or label(lang, "nothing_listed")
    yield f"  {label(lang, 'was_legal')}: {legal}"
    if question.why:
        yield f"  {label(lang, 'why')}"
    for rule in question.why:
        broken = f" [{label(lang, 'broken')}]" if rule.is_broken else ""
        yield f"    {rule.rule}{broken} {rule.text}"


def _tricks(sheet: CaseSheet, lang: str) -> Iterator[str]:
    if sheet.tricks:
        yield from _title(lang, "tricks")
    for number in range(1, len(sheet.tricks) + 1):
        mark = ">" if sheet.in_question is not None and sheet.in_question.trick == number else " "
        yield f"{mark} {number:>2}  {_trick(sheet, number, lang)}"


def _trick(sheet: CaseSheet, number: int, lang: str) -> str:
    trick = sheet.tricks[number - 1]
    laid = "  ".join(
        f"{card_text(card)} {sheet.players[seat]}" for seat, card in zip(trick.seats, trick.cards, strict=True)
    )
    if trick.winner is None:
        return laid
    why = trick_reason(trick, lang)
    return f"{laid}  → {sheet.players[trick.winner]}" + (f" ({why})" if why else "")


def _findings(sheet: CaseSheet, lang: str) -> Iterator[str]:
    yield from _title(lang, "findings")
    if not sheet.findings:
        yield f"  {label(lang, 'none')}"
    for seen in sheet.findings:
        found = seen.finding
        entry = label(lang, "about_entry", version=found.version)
        yield f"  {found.severity} {found.code} ({entry}): {found.message}"
        if seen.rule_text is not None:
            yield f"    {found.rule} {seen.rule_text}"
    for revoke in sheet.revokes:
        yield f"  {label(lang, 'revoke')} ({label(lang, 'about_entry', version=revoke.version)})"
        for told in revoke_sentences(revoke, sheet.players, lang):
            yield f"    {told}"


def _corrections(sheet: CaseSheet, lang: str) -> Iterator[str]:
    if sheet.corrections:
        yield from _title(lang, "corrections")
    for seen in sheet.corrections:
        read = "; ".join(whole_event_text(event, sheet.players) for event in seen.read) or label(lang, "nothing")
        written = whole_event_text(seen.written, sheet.players)
        yield f"  {label(lang, 'correction_line', corrects=seen.corrects, read=read, written=written)}"
        yield f"    {label(lang, 'by_correction', version=seen.version, reason=seen.reason)}"


def _score(sheet: CaseSheet, lang: str) -> Iterator[str]:
    yield from _title(lang, "score")
    has_pool = any(seen.pool_after for seen in sheet.scores)
    pool = [label(lang, "pool")] if has_pool else []
    rows = [["", *sheet.players, *pool, label(lang, "result")]]
    rows += [_score_row(seen, sheet, has_pool, lang) for seen in sheet.scores]
    yield from _columns(rows)
    for seen in sheet.scores:
        if seen.totals is not None:
            basis = label(lang, f"basis_{seen.basis}")
            yield f"  {label(lang, 'totals')} {basis}: {amounts_text(seen.totals, sheet.players)}"
    if sheet.sheet_stale:
        yield f"  {label(lang, 'stale_sheet', entries=' '.join(map(str, sheet.sheet_stale)))}"
    for line in sheet.lines:
        places = (line.source, line.target)
        source, target = (place if isinstance(place, str) else sheet.players[place] for place in places)
        yield f"  {line.rule or '–'}  {source} → {target}  {line.amount}  {line.text}"


def _score_row(seen: ScoreSeen, sheet: CaseSheet, has_pool: bool, lang: str) -> list[str]:
    deltas = ["–"] * len(sheet.players) if seen.deltas is None else [amount_text(amount) for amount in seen.deltas]
    pool = ["–" if seen.pool_after is None else str(seen.pool_after)] if has_pool else []
    return [label(lang, f"basis_{seen.basis}"), *deltas, *pool, seen.result or seen.status or ""]


def _rulings(sheet: CaseSheet, lang: str) -> Iterator[str]:
    yield from _title(lang, "rulings")
    if not sheet.rulings:
        yield f"  {label(lang, 'not_ruled')}"
    for seen in sheet.rulings:
        ruling = seen.ruling
        state = [label(lang, "in_force" if ruling.in_force else "overruled")]
        if ruling.stale:
            state.append(label(lang, "stale", entries=" ".join(map(str, ruling.stale))))
        moved = "" if ruling.deltas is None else f" {amounts_text(ruling.deltas, sheet.players)}"
        entry = f"{label(lang, 'entry')} {ruling.version}"
        yield f"  {entry} · {ruling.kind}{moved}: {ruling.text} ({'; '.join(state)})"
        if seen.rule_text is not None:
            yield f"    {ruling.rule} {seen.rule_text}"


def _log(sheet: CaseSheet, lang: str) -> Iterator[str]:
    yield from _title(lang, "rests_on")
    rows = [[label(lang, key) for key in ("entry", "position", "what", "by", "digest")]]
    rows += [
        [str(one.version), str(one.position), label(lang, f"what_{one.what}"), one.recorded_by, one.digest]
        for one in sheet.rests_on
    ]
    yield from _columns(rows)
    yield f"  {label(lang, 'head')}: {label(lang, 'position')} {sheet.head_position}, {sheet.head_digest}"


def _title(lang: str, key: str) -> Iterator[str]:
    yield ""
    yield label(lang, key)


def _hands(hands: Sequence[Sequence[str]], players: Sequence[str], indent: int = 2) -> Iterator[str]:
    width = max(map(cell_len, players))
    for name, hand in zip(players, hands, strict=True):
        yield f"{' ' * indent}{name}{' ' * (width - cell_len(name))}  {hand_text(hand)}"


def _columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows below each other, each column as wide as its widest text."""
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (text + " " * (width - cell_len(text)) for text, width in zip(row, widths, strict=True))
        yield ("  " + "  ".join(cells)).rstrip()
