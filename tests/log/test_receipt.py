"""A receipt proves its entries with the public key alone; any change in it is rejected with a reason."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from ledger.errors import MalformedError
from ledger.events import DealStarted, TableOpened
from ledger.log import MemoryStore
from ledger.log.checkpoint import EMPTY_TREE, Checkpoint, TreeHead
from ledger.log.merkle import EMPTY_ROOT, leaf_hash
from ledger.log.receipt import DealReceipt, Growth, ProvenEntry
from ledger.log.signed_note import encoded
from ledger.recording.deal_receipts import deal_receipt
from tests.contracts.log_builders import RECORDER, batch
from tests.covering import sample
from tests.japanese import assert_speaks_japanese
from tests.log.damages import described
from tests.log.proof_builders import KEY, OTHER_KEY, beginning, club, rewritten, signed

PUBLIC = KEY.public()
STORE = club(3)
OLD = signed(beginning(STORE, 20))
RECEIPT = deal_receipt(STORE, "club", 2, signed(STORE), OLD.tree)
CONTENT = RECEIPT.content()

NOT_HELD = "the signed ledger does not contain these entries: one of them or the proof was altered"
UNFIT = f"the checkpoint: the signature of {PUBLIC.label} does not match: the text was altered after signing"


def refusal(content: bytes, old: TreeHead | None = OLD.tree) -> str:
    """Return the reason why the receipt is rejected, which it must be without any other error."""
    try:
        damage = DealReceipt.parse(content).fault(PUBLIC, old)
    except MalformedError as error:
        assert_speaks_japanese(error)
        return str(error)
    assert damage is not None, "a changed receipt was taken for the true one"
    return described(damage)[1]


def test_a_receipt_reads_back_and_proves_its_entries() -> None:
    assert DealReceipt.parse(CONTENT) == RECEIPT
    assert RECEIPT.fault(PUBLIC) is None
    assert RECEIPT.fault(PUBLIC, OLD.tree) is None
    assert [entry.envelope.version for entry in RECEIPT.entries] == [1, 5, 6, 7, 8, 9, 11, 13]
    assert len(RECEIPT.proof) < 8 * 6, "what entries share is proven once"


def test_a_receipt_of_everything_needs_no_hashes() -> None:
    store = MemoryStore()
    opened = TableOpened(game="ombre", players=("Ann", "Ben", "Cleo"))
    store.append(batch(opened, DealStarted(deal=1, dealer=0), stream="table/t"), recorded_by=RECORDER)
    made = deal_receipt(store, "t", 1, signed(store))
    assert made.proof == ()
    assert DealReceipt.parse(made.content()).fault(PUBLIC) is None


@pytest.mark.parametrize("turn", sample(range(4), 1))
def test_a_receipt_with_any_byte_changed_missing_or_doubled_or_cut_short_there_is_refused(turn: int) -> None:
    """One of the four at each byte in turn; a soak run does all of them."""
    for place in range(len(CONTENT)):
        before, byte, after = CONTENT[:place], CONTENT[place : place + 1], CONTENT[place + 1 :]
        flipped = bytes([byte[0] ^ 1 << (0, 1, 5)[place % 3]])
        wrong = (before + flipped + after, before + after, before + byte + byte + after, before)[(place + turn) % 4]
        assert refusal(wrong), f"byte {place}"


@given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_no_bytes_make_another_error(content: bytes) -> None:
    for whole in (content, b"trickledger-receipt@v1\n" + content, CONTENT + b"\n" + content):
        assert refusal(whole)


@given(st.lists(st.sampled_from(CONTENT.split(b"\n")), max_size=30))
def test_no_mixture_of_its_lines_is_taken_for_a_receipt(lines: list[bytes]) -> None:
    assert refusal(b"trickledger-receipt@v1\n" + b"\n".join(lines))


def changed(**fields: object) -> bytes:
    return structs.replace(RECEIPT, **fields).content()


def line_of(number: int) -> bytes:
    return CONTENT.split(b"\n")[number - 1]


def test_a_changed_entry_is_named_where_the_one_before_it_is_there() -> None:
    played = CONTENT.replace(b'"card":"H7"', b'"card":"H6"')
    damage = DealReceipt.parse(played).fault(PUBLIC)
    assert described(damage) == (8, "the digest does not match the entry and the one before it")


def test_a_changed_entry_without_neighbours_is_not_in_the_ledger() -> None:
    assert refusal(CONTENT.replace(b'"text":"no revoke"', b'"text":"a revoke"')) == NOT_HELD


def test_an_entry_with_a_digest_that_was_made_to_fit_is_not_in_the_ledger() -> None:
    forged = deal_receipt(rewritten(STORE, 8, recorded_by="x"), "club", 2, signed(rewritten(STORE, 8, recorded_by="x")))
    assert forged.fault(PUBLIC) is None, "as its own keeper signs it"
    assert refusal(structs.replace(forged, checkpoint=RECEIPT.checkpoint).content(), None) == NOT_HELD


def test_swapped_missing_and_added_hashes_are_refused() -> None:
    first, second, *others = RECEIPT.proof
    for proof in ([second, first, *others], [second, *others], [first, first, second, *others], []):
        assert refusal(changed(proof=tuple(proof))) == NOT_HELD


def test_entries_left_out_moved_or_added_are_refused() -> None:
    first, second, *others = RECEIPT.entries
    foreign = ProvenEntry.parse(next(row for row in STORE.read() if row.stream == "table/other").line())
    assert refusal(changed(entries=(first, *others))) == NOT_HELD
    assert "line 3: not in the order of the ledger" in refusal(changed(entries=(second, first, *others)))
    assert "line 3: not in the order of the ledger" in refusal(changed(entries=(first, first, second, *others)))
    assert "line 3: of another table: 'table/other'" in refusal(changed(entries=(first, foreign, second, *others)))
    assert refusal(changed(entries=())) == "not a receipt; expected entries from the second line on"


def test_the_proof_of_another_deal_proves_nothing_here() -> None:
    other = deal_receipt(STORE, "club", 1, RECEIPT.checkpoint)
    assert refusal(changed(proof=other.proof)) == NOT_HELD


def test_the_checkpoint_of_another_ledger_or_size_proves_nothing_here() -> None:
    assert refusal(changed(checkpoint=signed(club(3)))) == NOT_HELD
    assert refusal(changed(checkpoint=OLD), None) == NOT_HELD
    assert refusal(changed(checkpoint=signed(beginning(STORE, 3))), None) == NOT_HELD


def test_another_key_is_named() -> None:
    own, other = PUBLIC.label, OTHER_KEY.public().label
    damage = RECEIPT.fault(OTHER_KEY.public())
    assert described(damage) == (None, f"the checkpoint: it is not signed with the key {other}, but with {own}")
    assert refusal(changed(checkpoint=signed(STORE, OTHER_KEY))) == (
        f"the checkpoint: it is not signed with the key {own}, but with {other}"
    )


def test_a_checkpoint_altered_after_it_was_signed_says_so() -> None:
    root = encoded(RECEIPT.checkpoint.tree.root).encode()
    assert refusal(CONTENT.replace(root, encoded(leaf_hash(b"")).encode())) == UNFIT
    assert refusal(CONTENT.replace(b"\n51\n", b"\n52\n")) == UNFIT


def test_what_is_no_receipt_says_what_was_expected() -> None:
    assert refusal(b"Dear Sir") == "not a receipt: 'Dear Sir'; expected trickledger-receipt@v1 in the first line"
    assert "the end of the receipt is missing" in refusal(CONTENT[:300])
    spaced = CONTENT.replace(b'{"position":1,', b'{"position": 1,')
    assert refusal(spaced).startswith("line 2: not in the canonical form")
    for line in (b"{}", b"{1}"):
        assert refusal(CONTENT.replace(line_of(2), line)).startswith("line 2: not an entry (")
    assert refusal(CONTENT.replace(line_of(10), b"AAAA")) == "line 10: not a hash: 'AAAA'; expected 32 bytes as base64"
    assert "not a hash: 'since 020'" in refusal(CONTENT.replace(b"since 20", b"since 020"))
    assert "not a hash: 'since 20'" in refusal(CONTENT.replace(b"since 20\n", b"since 20\nsince 20\n"))


def without_growth() -> DealReceipt:
    return structs.replace(RECEIPT, growth=None)


def test_bytes_that_are_no_text_are_no_proof() -> None:
    with pytest.raises(MalformedError) as refused:
        ProvenEntry.parse(b"\xff")
    assert_speaks_japanese(refused.value)


def test_growth_is_proven_since_the_checkpoint_that_it_was_made_for() -> None:
    assert without_growth().fault(PUBLIC, RECEIPT.checkpoint.tree) is None, "the very same checkpoint"
    needs = "the receipt does not prove that the ledger continues the one with 20 entries; create it with --since"
    assert described(without_growth().fault(PUBLIC, OLD.tree)) == (None, needs)
    other = signed(beginning(STORE, 30)).tree
    needs = (
        "the receipt proves that the ledger continues the one with 20 entries, not the one with 30; "
        "create it with --since"
    )
    assert described(RECEIPT.fault(PUBLIC, other)) == (None, needs)


def test_a_ledger_that_was_written_anew_does_not_prove_growth() -> None:
    forged = rewritten(STORE, 19, recorded_by="somebody")
    made = deal_receipt(forged, "club", 2, signed(forged))
    assert made.fault(PUBLIC) is None
    assert RECEIPT.growth is not None
    what = "the signed ledger does not continue the one with 20 entries"
    own_proof = deal_receipt(forged, "club", 2, signed(forged), signed(beginning(forged, 20)).tree).growth
    for growth in (own_proof, RECEIPT.growth, Growth(20, ())):
        assert described(structs.replace(made, growth=growth).fault(PUBLIC, OLD.tree)) == (None, what)


def test_everything_has_grown_from_an_empty_ledger() -> None:
    made = deal_receipt(STORE, "club", 2, RECEIPT.checkpoint, EMPTY_TREE)
    assert DealReceipt.parse(made.content()).fault(PUBLIC, TreeHead(0, EMPTY_ROOT)) is None


def test_a_size_that_no_ledger_has_is_refused_and_not_searched() -> None:
    huge = structs.replace(RECEIPT.checkpoint.tree, size=10**18)
    forged = Checkpoint(KEY.name, huge, RECEIPT.checkpoint.note)
    assert described(structs.replace(RECEIPT, checkpoint=forged).fault(PUBLIC)) == (None, NOT_HELD)
