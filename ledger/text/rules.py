"""Rules as they are looked up: id, section and text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ledger.games.kernel.rulebook import Rule, RuleAnswer
from ledger.text.words import label


def rules_text(found: Sequence[Rule], words: str | None, lang: str) -> Iterator[str]:
    """The rules that were found; `words`: what was looked for in them."""
    if not found:
        yield label(lang, "rules.none_holds", words=repr(words))
    for rule in found:
        yield f"{rule.id}  {rule.section_title}\n{rule.text}\n"


def rules_facts(found: Sequence[Rule]) -> list[RuleAnswer]:
    """The rules for programs."""
    return [RuleAnswer(rule=rule.id, section=rule.section_title, text=rule.text) for rule in found]
