"""Keys and signed notes have the format of C2SP's signed-note; docs/reference/proof-format.md is correct."""

import random
import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs

from ledger import limits
from ledger.errors import MalformedError
from ledger.log.checkpoint import Checkpoint
from ledger.log.receipt import DealReceipt
from ledger.log.signed_note import Note, PublicKey, SecretKey, Signature, decoded, encoded, sign
from ledger.recording.deal_receipts import deal_receipt
from tests.contracts.log_builders import TYPED
from tests.japanese import assert_speaks_japanese
from tests.log.proof_builders import KEY, OTHER_KEY, beginning, club, rewritten, signed
from tests.log.test_log_format import code_in, page, run_verifier

EXAMPLE, GO_PUBLIC_KEY, GO_SECRET_KEY, GO_NOTE = tomllib.loads(
    Path(__file__).with_name("signed_notes.toml").read_text(encoding="utf-8")
).values()


def test_a_note_of_another_program_is_signed_with_its_key() -> None:
    note = Note.parse(GO_NOTE.encode())
    assert note.fault(PublicKey.parse(GO_PUBLIC_KEY)) is None


def test_we_sign_as_another_program_does() -> None:
    key = SecretKey.parse(GO_SECRET_KEY + "\n")
    assert str(sign(GO_NOTE.partition("\n\n")[0] + "\n", key)) == GO_NOTE
    assert (str(key.public()), key.secret_text()) == (GO_PUBLIC_KEY, GO_SECRET_KEY)


def test_the_example_of_the_specification_is_read_and_written_as_it_is() -> None:
    note = Note.parse(EXAMPLE.encode())
    assert note.text.count("\n") == 4
    assert [(one.name, one.key_id.hex(), len(one.raw)) for one in note.signatures] == [
        ("quasimodo.example/salvatore", "367ba04b", 64)
    ]
    assert str(note) == EXAMPLE


def test_every_new_key_is_another_and_reads_back() -> None:
    one, other = SecretKey.generate("club"), SecretKey.generate("club")
    assert one != other
    assert SecretKey.parse(one.secret_text()) == one
    assert PublicKey.parse(str(one.public())) == one.public()


def test_a_secret_key_does_not_show_itself() -> None:
    assert repr(KEY) == str(KEY) == "SecretKey('club.example/ledger')"
    with pytest.raises(MalformedError) as refused:
        SecretKey.parse(KEY.secret_text()[:-1] + "A")
    assert encoded(KEY.seed)[:10] not in str(refused.value)


CHANGED_KEYS = [
    GO_PUBLIC_KEY.replace(was, now)
    for was, now in [("Peter", "Petra"), ("c74f", "c74e"), ("+ARpc", "+Ahpc"), ("10TW", "10TX"), ("+ARpc", "+Arpc")]
]


@pytest.mark.parametrize(("read", "what", "wrong"), [
    (SecretKey.generate, "a valid name of a key", ["", "two words", "a+b", "a\u2003b", "a\x1fb", "a\nb"]),
    (PublicKey.parse, "a public key", ["", "club", "a+b+c", GO_PUBLIC_KEY[:-1], *CHANGED_KEYS, GO_SECRET_KEY]),
    (
        SecretKey.parse,
        "a private key",
        ["", "PRIVATE+KEY+", GO_PUBLIC_KEY, GO_SECRET_KEY[:-4], GO_SECRET_KEY.lower()],
    ),
])  # fmt: skip
def test_what_is_no_key_and_no_name_for_one(read: Callable[[str], object], what: str, wrong: list[str]) -> None:
    for text in wrong:
        with pytest.raises(MalformedError, match=f"not {what}") as refused:
            read(text)
        assert_speaks_japanese(refused.value, *TYPED)


def test_a_note_that_was_altered_or_signed_by_another_says_so() -> None:
    note = sign("all is well\n", KEY)
    assert note.fault(KEY.public()) is None
    altered = Note("all is lost\n", note.signatures).fault(KEY.public())
    assert str(altered) == f"the signature of {KEY.public().label} does not match: the text was altered after signing"
    other = note.fault(OTHER_KEY.public())
    assert str(other) == f"it is not signed with the key {OTHER_KEY.public().label}, but with {KEY.public().label}"


def test_signatures_of_unknown_keys_are_passed_over_but_one_of_ours_must_fit() -> None:
    note = sign("all is well\n", KEY)
    witness = Signature("witness.example", b"\x01\x02\x03\x04", bytes(100))
    forged = Signature(KEY.name, KEY.public().id, bytes(64))
    short = Signature(KEY.name, KEY.public().id, bytes(3))
    assert Note.parse(str(Note(note.text, (witness, *note.signatures, witness))).encode()).fault(KEY.public()) is None
    for bad in (forged, short):
        assert "does not match" in str(Note(note.text, (*note.signatures, bad)).fault(KEY.public()))
    assert "but with witness.example+01020304" in str(Note(note.text, (witness,)).fault(KEY.public()))


@pytest.mark.parametrize("content", [
    *(b"", b"text\n", b"\n\n", GO_NOTE.encode()[:-1]),
    *(GO_NOTE.encode() + more for more in (b"\n", b"more\n", b"\xff")),
    *(GO_NOTE.replace("—", "-").encode(), GO_NOTE.replace("— Peter", "—Peter").encode()),
    *(GO_NOTE.replace("AM=", "AN=").encode(), GO_NOTE.replace("x08", "x 08").encode()),
    GO_NOTE.replace("think", "th\tink").encode(),
    *(f"text\n\n— {signed}\n".encode() for signed in ("name AAAA", "na+me AAAAAAAA", "name AAAAAA==")),
])  # fmt: skip
def test_what_is_no_note(content: bytes) -> None:
    with pytest.raises(MalformedError) as refused:
        Note.parse(content)
    assert_speaks_japanese(refused.value)


@pytest.mark.parametrize(("content", "message"), [
    (b"\xff", "not a signed note; expected UTF-8"),
    (b"a\tb\n", "not a signed note; expected no control characters but line feeds"),
    (
        "\n\n— name AAAAAAAA\n".encode(),
        "not a signed note; expected a text, an empty line, and lines with signatures",
    ),
    (b"a\n\nb\n", "not a signature: 'b'; expected an em dash, a name and base64, with blanks between"),
])  # fmt: skip
def test_what_is_no_note_says_what_was_expected(content: bytes, message: str) -> None:
    with pytest.raises(MalformedError) as refused:
        Note.parse(content)
    assert str(refused.value) == message


def test_base64_has_one_form() -> None:
    assert decoded("AAA=") == b"\0\0"
    assert [decoded(text) for text in ("AAB=", "AAA", "AA\nA=", "AAA=A", "ÄAA=", "____")] == [None] * 6


def test_a_note_has_no_more_signatures_than_can_be_checked_at_once() -> None:
    """A valid one can be repeated by anybody: 90,000 of them, which are 10 MB, took 16 s."""
    note = sign("text\n", KEY)
    most = Note(note.text, note.signatures * limits.SIGNATURES)
    assert Note.parse(str(most).encode()).fault(KEY.public()) is None
    with pytest.raises(MalformedError) as refused:
        Note.parse(str(Note(note.text, note.signatures * (limits.SIGNATURES + 1))).encode())
    assert refused.value.code == "too_large"
    assert str(refused.value) == "too many signatures: 1,001 signatures; expected at most 1,000 signatures"


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
