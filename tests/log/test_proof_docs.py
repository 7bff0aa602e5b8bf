"""docs/reference/proof-format.md is correct: its verifier, run by Node unchanged, agrees with ours."""

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs

from ledger.log.checkpoint import Checkpoint
from ledger.log.receipt import DealReceipt
from ledger.log.signed_note import PublicKey
from ledger.recording.deal_receipts import deal_receipt
from tests.log.proof_builders import KEY, OTHER_KEY, beginning, club, rewritten, signed
from tests.log.test_log_format import code_in, page, run_verifier

PAGE = page("proof-format.md")
STORE = club(3)
PUBLIC = KEY.public()

Verify = Callable[..., str]


@pytest.fixture
def verify(tmp_path: Path, ci_requires: Callable[[str], str]) -> Verify:
    """Run the page's verifier on a receipt and return its output, whose exit status must match."""
    node = ci_requires("node")

    def run(content: bytes, key: PublicKey = PUBLIC, old: Checkpoint | None = None) -> str:
        files = {"deal.receipt": content, "club.pub": f"{key}\n".encode()}
        if old is not None:
            files["old.checkpoint"] = str(old).encode()
        status, output = run_verifier("proof-format.md", node, tmp_path, files)
        assert output.startswith("proven: " if status == 0 else "not proven: ")
        return output

    return run


def test_the_checkpoint_that_the_page_shows_is_signed_with_the_key_that_it_shows() -> None:
    (key,) = re.findall(r"^club\.example/ledger\+\S+$", PAGE, re.MULTILINE)
    (shown,) = re.findall(r"^```\n(club\.example/ledger\n.*?)```$", PAGE, re.MULTILINE | re.DOTALL)
    assert Checkpoint.parse(shown.encode()).fault(PublicKey.parse(key)) is None


def test_the_verifier_is_as_short_as_it_is_said_to_be() -> None:
    assert len([line for line in code_in("proof-format.md").splitlines() if line]) <= 60


@pytest.mark.parametrize(("deal", "old_size"), [(1, 0), (3, 20), (2, 51)])
def test_the_verifier_agrees_on_what_is_proven(verify: Verify, deal: int, old_size: int) -> None:
    old = signed(beginning(STORE, old_size)) if old_size else signed(club(0))
    made = deal_receipt(STORE, f"club-{deal}" if deal > 1 else "club", deal, signed(STORE), old.tree)
    assert made.fault(PUBLIC, old.tree) is None
    stream = made.entries[0].envelope.stream
    assert verify(made.content(), PUBLIC, old) == (
        f"proven: {stream}, {len(made.entries)} entries of 51, signed with {PUBLIC.label}"
    )


def test_the_verifier_refuses_what_was_changed(verify: Verify) -> None:
    made = deal_receipt(STORE, "club", 2, signed(STORE))
    content = made.content()
    not_held = "not proven: the entries are not in the ledger that was signed"
    assert verify(content.replace(b'"card":"H7"', b'"card":"H6"')) == "not proven: position 8: the digest does not fit"
    assert verify(content.replace(b'"text":"no revoke"', b'"text":"a revoke"')) == not_held
    assert verify(content, OTHER_KEY.public()).startswith("not proven: the checkpoint is not signed with")
    assert verify(structs.replace(made, proof=made.proof[::-1]).content()) == not_held
    assert verify(structs.replace(made, proof=made.proof[1:]).content()) == "not proven: a hash is missing"
    assert verify(structs.replace(made, proof=(*made.proof, made.proof[0])).content()) == not_held
    assert verify(structs.replace(made, entries=made.entries[1:]).content()).startswith("not proven")
    assert verify(content[:500]) == "not proven: not a receipt"
    assert verify(content[:-20]) == "not proven: not a signed note"


def test_the_verifier_refuses_growth_that_was_none(verify: Verify) -> None:
    old = signed(beginning(STORE, 20))
    forged = rewritten(STORE, 19, recorded_by="somebody")
    own_past = signed(beginning(forged, 20)).tree
    made = deal_receipt(forged, "club", 2, signed(forged), own_past)
    assert verify(made.content()).startswith("proven: ")
    assert verify(made.content(), PUBLIC, old) == "not proven: the ledger does not continue the older one"
    since = "not proven: the receipt does not prove growth since 20 entries"
    assert verify(structs.replace(made, growth=None).content(), PUBLIC, old) == since


def test_changed_bytes_are_refused_by_both(verify: Verify) -> None:
    content = deal_receipt(STORE, "club", 1, signed(STORE)).content()
    assert DealReceipt.parse(content).fault(PUBLIC) is None
    chance = random.Random(20260105)
    for place in chance.sample(range(len(content)), 2):
        changed = bytearray(content)
        changed[place] ^= 1
        assert not verify(bytes(changed)).startswith("proven: "), f"byte {place}"
