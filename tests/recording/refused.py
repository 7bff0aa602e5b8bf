"""A hand record with a mistake in it, and the message of its refusal in English and Japanese."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ledger.errors import MalformedError
from ledger.i18n import Phrase, in_words
from ledger.recording.hand.record import read_hand_record
from tests.text.test_no_sentence_in_code import SENTENCE

RECORD = Path(__file__).with_name("evening.toml").read_text(encoding="utf-8")
DEAL_HEAD = RECORD[: RECORD.index("calls")]

_JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_TYPED = re.compile(
    r"`[^`]*`|\w+_\w+(?:\.\w+)*|\w+=\w+|\d\S+T\d\S+|[A-Z]{3}-[\d.]+|after 5|(?:table|session)/"
    r"|\b(?:Belinda|Baron|Clarissa|Ada|Ben|Cleo|Dan|SA|S2|H10|none|strike|award|count|deltas|pool|title|date|slug|deal|hands|play|session|noted"
    r"|corrected|true|false|Asia/Tokyo|IANA|ID|UUID|JSON|NDJSON|TOML|UTC|UTF|Unicode)\b",
    re.ASCII,
)
"""Words in sentences that are to be typed, players' names, and words of formats."""


def mistaken(edits: str) -> str:
    """Return the record with the mistake in it, as the head of `mistakes.txt` says how it is written down."""
    text = RECORD
    for edit in edits.replace("\\n", "\n").split(" && "):
        right, _, wrong = edit.partition(" =>")
        wrong = wrong.removeprefix(" ")
        if right in ("all", "deal", "end"):
            return {"all": "", "deal": DEAL_HEAD, "end": RECORD}[right] + wrong
        assert right in text
        text = text.replace(right, wrong, 1)
    return text


def refusal(act: Callable[[], Any]) -> MalformedError:
    with pytest.raises(MalformedError) as refused:
        act()
    return refused.value


def refusal_of(text: str) -> MalformedError:
    return refusal(lambda: read_hand_record(text, "evening.toml"))


def not_japanese(error: MalformedError) -> list[str]:
    """Return the parts of a refusal that are not Japanese; quoted input stays as it is."""
    texts = [_in_japanese(part) for part in (error.what, error.expected, error.where) if isinstance(part, Phrase)]
    english = [text for text in texts if re.search("[A-Za-z]{2,}", _TYPED.sub("", text))]
    return english if _JAPANESE.search(error.message("ja")) else [*english, error.message("ja")]


def _in_japanese(part: Any) -> Any:
    """Return a part of a message without the values in it, which are not sentences themselves."""
    if isinstance(part, tuple):
        return tuple(map(_in_japanese, part))
    if isinstance(part, str):
        assert not SENTENCE.search(part.replace("Sir Plume", "")), part
        return ""
    if type(part) is Phrase:
        values = {name: _in_japanese(value) for name, value in part.values.items()}
        return in_words(Phrase(part.package, part.key, values), "ja")
    return part
