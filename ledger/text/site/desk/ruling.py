"""The form of a ruling: what was typed, what is wrong with it, and what it would change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast, get_args

from msgspec import Struct, convert

from ledger.errors import NotFoundError
from ledger.events import Award, RulingKind
from ledger.games.kernel.rulebook import load
from ledger.recording.adding import Added
from ledger.table.answers import DealScore
from ledger.table.fold import DealRecord, TableFold
from ledger.table.score import seat_titles
from ledger.text.audit import gathered
from ledger.text.cards import signed_amount
from ledger.text.catalogue import label, written_wording_for
from ledger.text.changes import stale_words
from ledger.text.score import unscorable_line
from ledger.text.site.catalogue import say
from ledger.text.site.recorder.score_sheet import POOL, parse_amounts
from ledger.text.site.replay.table_page import result_summary

AMOUNTS: Final = "amounts"
"""The name of the fault of all amounts together."""

_WITH_AMOUNTS: Final = frozenset(("adjust", "replace"))

_KINDS: Final[Mapping[RulingKind, tuple[str, str]]] = {
    "stands": ("ruling.stands", "ruling.stands_means"),
    "adjust": ("ruling.adjust", "ruling.adjust_means"),
    "replace": ("ruling.replace", "ruling.replace_means"),
    "award": ("ruling.award", "ruling.award_means"),
    "void": ("ruling.void", "ruling.void_means"),
    "accept": ("ruling.accept", "ruling.accept_means"),
}
"""The kinds in the order of the form, with the keys of their name and meaning."""

_NUMBERS: Final = {"strength": "ruling.strength", "draw_mark": "ruling.draw_mark", "v": "ruling.v"}
_TRUTHS: Final = {"circle": "ruling.circle", "plus_one": "ruling.plus_one"}
_DIGITS_MAX: Final = 3


class RulingChoice(Struct, frozen=True, kw_only=True):
    """A kind of ruling in the form: its code, name and meaning."""

    code: str
    name: str
    means: str
    is_chosen: bool
    is_rare: bool


class TypedField(Struct, frozen=True, kw_only=True):
    """A field of the form. `is_flag`: a checkbox, checked if `value` is not empty."""

    name: str
    text: str
    value: str
    is_wrong: bool = False
    is_flag: bool = False


class RulingForm(Struct, frozen=True, kw_only=True):
    """The form as typed. `award`: the figures of an award, empty in games without; `teams`: its sides by number.

    `faults`: messages by the id of their field.
    """

    kinds: Sequence[RulingChoice]
    amounts: Sequence[TypedField]
    sums_to_zero: bool
    has_pool: bool
    award: Sequence[TypedField]
    teams: Sequence[tuple[str, str]]
    winner: str
    text: str
    rule: str
    rules: Sequence[str]
    faults: Mapping[str, str]


class RulingDraft(Struct, frozen=True, kw_only=True):
    """A ruling as far as the form says it. `faults`: messages by field; `is_decided`: kind and amounts are known."""

    kind: RulingKind | None
    deltas: tuple[int, ...] | None
    pool: int | None
    award: Award | None
    text: str
    rule: str | None
    faults: Mapping[str, str]
    is_decided: bool


class AmountsLine(Struct, frozen=True, kw_only=True):
    """A line of the preview: amounts by seat, the pool and the result."""

    name: str
    amounts: Sequence[str]
    pool: str = ""
    result: str = ""
    is_total: bool = False


class RulingPreview(Struct, frozen=True, kw_only=True):
    """The effect of a ruling: the deal now, the change and the deal then; the totals; and what else changes."""

    players: Sequence[str]
    has_pool: bool
    lines: Sequence[AmountsLine]
    seats: Sequence[str]
    totals: Sequence[AmountsLine]
    notes: Sequence[str]


def ruling_draft(form: Mapping[str, str], fold: TableFold, record: DealRecord, lang: str) -> RulingDraft:
    """Return the ruling that the form says, with a message for each field that is missing or wrong."""
    faults: dict[str, str] = {}
    kind = form.get("kind", "")
    if kind not in fold.game.ruling_kinds:
        faults["kind-stands"] = say(lang, "ruling.choose")
    takes = kind in _WITH_AMOUNTS
    typed = parse_amounts(form, len(record.players))
    deltas = tuple(amount or 0 for amount in typed.deltas) if takes else None
    pool = (typed.pool or None) if takes and _has_pool(fold) else None
    if takes:
        faults |= {field: say(lang, "ruling.no_number") for field in sorted(typed.wrong)}
        if not typed.wrong and (fault := _wrong_sum(fold, record, deltas or (), pool, lang)):
            faults[AMOUNTS] = fault
    award = _award(form, fold, lang, faults) if kind == "award" else None
    is_decided = not faults
    text, rule = form.get("text", "").strip(), form.get("rule", "").strip() or None
    if not text:
        faults["text"] = say(lang, "ruling.write_reason")
    if rule is not None:
        try:
            rule = load(fold.game.package).rule(rule).id
        except NotFoundError:
            faults["rule-id"] = say(lang, "ruling.no_rule", rule=rule)
    return RulingDraft(
        kind=cast(RulingKind, kind) if kind in get_args(RulingKind) else None,
        deltas=deltas,
        pool=pool,
        award=award,
        text=text,
        rule=rule,
        faults=faults,
        is_decided=is_decided,
    )


def _has_pool(fold: TableFold) -> bool:
    return "pool" in fold.match.state()


def _wrong_sum(fold: TableFold, record: DealRecord, deltas: Sequence[int], pool: int | None, lang: str) -> str | None:
    """Return the message for amounts that move nothing, or create or destroy counters."""
    rest = sum(deltas) + (pool or 0)
    if not any(deltas) and not pool:
        return say(lang, "ruling.no_amounts")
    if not fold.game.is_zero_sum or not rest:
        return None
    shares = [f"{name} {signed_amount(amount)}" for name, amount in zip(record.players, deltas, strict=True) if amount]
    if pool:
        shares.append(f"{label(lang, 'pool')} {signed_amount(pool)}")
    key = "ruling.too_much" if rest > 0 else "ruling.too_little"
    return say(lang, key, rest=abs(rest), amounts=label(lang, "list").join(shares))


def _award(form: Mapping[str, str], fold: TableFold, lang: str, faults: dict[str, str]) -> Award | None:
    """Return the award of the form; None if something is missing or wrong."""
    figures = _figures(fold)
    raw: dict[str, Any] = {name: True for name in figures if name in _TRUTHS and form.get(name)}
    winner = form.get("winner", "")
    if winner not in ("0", "1"):
        faults["winner-0"] = say(lang, "ruling.choose_winner")
    for name in figures:
        text = form.get(name, "").strip()
        if name in _TRUTHS or (not text and name != figures[0]):
            continue
        if text.isascii() and text.isdecimal() and len(text) <= _DIGITS_MAX:
            raw[name] = int(text)
        else:
            faults[name] = say(lang, "ruling.no_number")
    return None if faults else convert(raw | {"winner": int(winner)}, Award)


def ruling_form(
    form: Mapping[str, str],
    fold: TableFold,
    record: DealRecord,
    rules: Sequence[str],
    faults: Mapping[str, str],
    lang: str,
) -> RulingForm:
    """Return the form with everything that was typed. `rules`: those that come into question."""
    wrong = {**faults}
    seats = [(f"s{seat}", name) for seat, name in enumerate(record.players)]
    if _has_pool(fold):
        seats.append((POOL, label(lang, "pool")))
    all_wrong = AMOUNTS in wrong
    figures = _figures(fold) if "award" in fold.game.ruling_kinds else ()
    return RulingForm(
        kinds=[
            RulingChoice(
                code=kind,
                name=say(lang, name),
                means=say(lang, means),
                is_chosen=form.get("kind") == kind,
                is_rare=kind == "accept" and form.get("kind") != kind and record.status != "unscorable",
            )
            for kind, (name, means) in _KINDS.items()
            if kind in fold.game.ruling_kinds
        ],
        amounts=[
            TypedField(name=field, text=name, value=form.get(field, ""), is_wrong=all_wrong or field in wrong)
            for field, name in seats
        ]
        if fold.game.ruling_kinds & _WITH_AMOUNTS
        else (),
        sums_to_zero=fold.game.is_zero_sum,
        has_pool=_has_pool(fold),
        award=[
            TypedField(
                name=name,
                text=say(lang, (_NUMBERS | _TRUTHS)[name]),
                value=form.get(name, ""),
                is_wrong=name in wrong,
                is_flag=name in _TRUTHS,
            )
            for name in figures
        ],
        teams=[(str(team), names) for team, names in enumerate(_teams(record.players))] if figures else (),
        winner=form.get("winner", ""),
        text=form.get("text", ""),
        rule=form.get("rule", ""),
        rules=rules,
        faults=wrong,
    )


def _figures(fold: TableFold) -> Sequence[str]:
    """Return the figures of an award at this table, the required one first (COU-10.3)."""
    return ("v", "plus_one") if getattr(fold.options, "is_on_points", False) else ("strength", "circle", "draw_mark")


def _teams(players: Sequence[str]) -> Sequence[str]:
    return [" + ".join(players[team::2]) for team in (0, 1)]


def preview_of(added: Added, deal: int, lang: str) -> RulingPreview:
    """Return the effect of a ruling that was tried without recording it."""
    before = added.before
    record, has_pool = before.deal(deal), _has_pool(before)
    wording = written_wording_for(before.game, lang)
    own = next(one for one in added.change.deals if one.deal == deal)
    was, now = ([0] * len(record.players) if one is None else _moved(one) for one in (own.before, own.after))
    pools = [0 if one is None else _pool(one) for one in (own.before, own.after)]
    results = ["" if one is None else result_summary(one, wording) for one in (own.before, own.after)]
    change = [then - amount for amount, then in zip(was, now, strict=True)]
    names = ("ruling.now", "ruling.change", "ruling.then")
    pool_texts = [str(pools[0]), signed_amount(pools[1] - pools[0]), str(pools[1])]
    lines = [
        AmountsLine(
            name=say(lang, name),
            amounts=list(map(signed_amount, amounts)),
            pool=pool if has_pool else "",
            result=result,
            is_total=name == "ruling.then",
        )
        for name, amounts, pool, result in zip(
            names, (was, change, now), pool_texts, (results[0], "", results[1]), strict=True
        )
    ]
    return RulingPreview(
        players=record.players,
        has_pool=has_pool,
        lines=lines,
        seats=seat_titles(before),
        totals=[
            AmountsLine(name=say(lang, name), amounts=list(map(signed_amount, totals)))
            for name, totals in (
                ("ruling.total_now", added.change.totals_before),
                ("ruling.total_then", added.change.totals_after),
            )
        ],
        notes=list(_notes(added, deal, lang)),
    )


def _moved(score: DealScore) -> list[int]:
    adjusts = [ruling.deltas for ruling in score.rulings if ruling.kind == "adjust" and ruling.deltas]
    return [sum(amounts) for amounts in zip(score.deltas, *adjusts, strict=True)]


def _pool(score: DealScore) -> int:
    return score.pool_after + sum(one.pool or 0 for one in score.rulings if one.kind == "adjust")


def _notes(added: Added, deal: int, lang: str) -> Iterator[str]:
    """Yield what else the ruling changes or leaves as it is."""
    wording = written_wording_for(added.after.game, lang)
    places = list(_places(added))
    if places:
        yield say(lang, "ruling.places", places=label(lang, "list").join(places))
    for change in added.change.deals:
        if change.deal != deal and change.before is not None and change.after is not None:
            amounts = zip(added.after.deal(change.deal).players, change.before.deltas, change.after.deltas, strict=True)
            moved = [f"{name} {signed_amount(was)} → {signed_amount(now)}" for name, was, now in amounts if was != now]
            if moved:
                yield say(lang, "ruling.other_deal", deal=change.deal, amounts=label(lang, "list").join(moved))
        for key, findings in (("rec.goes", change.gone), ("rec.comes", change.new)):
            for finding in gathered(findings, lang):
                yield say(lang, key, finding=finding.message, rule=finding.rule)
        yield from stale_words(change, wording)
    missing = unscorable_line(added.after, added.after.deal(deal), wording)
    if missing is not None:
        yield missing
    for version in added.left_open:
        yield say(lang, "ruling.leaves_open", version=version)


def _places(added: Added) -> Iterator[str]:
    """Yield each player whose place at the table changes; equal totals share a place."""
    places = [
        [1 + sum(other > total for other in totals) for total in totals]
        for totals in (added.change.totals_before, added.change.totals_after)
    ]
    for name, before, after in zip(seat_titles(added.after), *places, strict=True):
        if before != after:
            yield f"{name} {before} → {after}"
