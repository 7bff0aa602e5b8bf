"""Whether the read model is what the ledger makes, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.history import HistoryComparison, HistoryDifference, OtherDefinition, OtherRows, VerifyHistoryAnswer
from ledger.text.words import label


def history_facts(found: HistoryComparison, lang: str) -> VerifyHistoryAnswer:
    """Whether the read model is what the ledger makes, for programs."""
    return VerifyHistoryAnswer(
        agrees=found.difference is None,
        position=found.head.position,
        digest=found.head.digest or "",
        tables=found.tables,
        difference=None if found.difference is None else _difference_facts(found.difference, lang),
    )


def history_text(found: HistoryComparison, lang: str) -> Iterator[str]:
    """Whether the read model is what the ledger makes, for people."""
    if found.difference is None:
        yield label(lang, "verify.history_agrees", tables=found.tables, position=f"{found.head.position:,}")
        yield label(lang, "verify.ledger_not_checked")
    else:
        what = _difference_sentence(found.difference, lang)
        yield label(lang, "verify.history_differs", table=found.difference.table, what=what)
        yield label(lang, "verify.make_anew")


def _difference_facts(found: OtherDefinition | OtherRows, lang: str) -> HistoryDifference:
    what = _difference_sentence(found, lang)
    if isinstance(found, OtherDefinition):
        return HistoryDifference(table=found.table, what=what)
    return HistoryDifference(table=found.table, what=what, missing=found.missing, surplus=found.surplus)


def _difference_sentence(found: OtherDefinition | OtherRows, lang: str) -> str:
    if isinstance(found, OtherDefinition):
        return label(lang, "verify.other_definition")
    return label(lang, "verify.other_rows", missing=f"{found.missing:,}", surplus=f"{found.surplus:,}")
