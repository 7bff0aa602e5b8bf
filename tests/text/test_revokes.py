"""A revoke in sentences."""

from __future__ import annotations

from ledger.text.revokes import revoke_sentences
from tests.table.test_revokes import played


def test_a_revoke_is_told_in_both_languages() -> None:
    fold, (found,) = played("ombre/revoke.toml")
    english, japanese = (list(revoke_sentences(found, fold.players, lang)) for lang in ("en", "ja"))
    assert english == [
        "established: trick 5 was turned before the next lead, entry 26",
        "kept back: ♦4 (fell in trick 6, entry 27), ♦6 (fell in trick 7, entry 31)",
        "trick 5 went to Belinda; with ♦4 ♦6 it would have gone to Belinda all the same",
        "later tricks touched: 6, 7",
        "tricks won from trick 5 on: Belinda 2, Baron 2, Clarissa 1",
    ]
    assert len(japanese) == len(english)
    assert not set(japanese) & set(english)
