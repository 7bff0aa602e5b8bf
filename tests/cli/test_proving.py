"""Keys, checkpoints, receipts and witnesses: what is signed, cosigned and proven, and what `verify` requires of it."""

import re
import stat
import subprocess
import sys
from base64 import b64decode, b64encode
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from ledger.log import SqliteStore
from ledger.log.chain import digest_after
from ledger.log.signed_note import PublicKey
from tests.cli.commands import CommandLine, environment, process, signed_club, witnessed
from tests.log.damages import alter

NAME = "club.example/ledger"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """Put the ledger of `signed_club` into the current folder."""
    (tmp_path / "home").mkdir()
    monkeypatch.chdir(tmp_path / "home")
    return CommandLine(tmp_path / "home").made_by(signed_club)


@pytest.fixture
def unsigned(home: CommandLine) -> CommandLine:
    """Return the ledger without its keys and checkpoint."""
    for name in ("club.key", "club.pub", "club.checkpoint"):
        (home.folder / name).unlink()
    return home


def rewrite(home: CommandLine, position: int, **fields: str) -> None:
    """Forge the past in the file: disable the triggers, make all digests fit, enable the triggers."""
    for field, value in fields.items():
        alter(home.ledger, f"UPDATE entries SET {field} = '{value}' WHERE position = {position}")
    with SqliteStore(home.ledger) as store:
        rows = list(store.read(verified=False))
    digest, script = bytes(32), ""
    for row in rows:
        digest = digest_after(digest, row.canonical())
        script += f"UPDATE entries SET digest = x'{digest.hex()}' WHERE position = {row.position};"
    alter(home.ledger, script)


def test_of_the_keys_that_are_made_the_private_one_is_for_its_owner_alone(unsigned: CommandLine) -> None:
    shown = unsigned.ok("checkpoint", "--make-key", NAME)
    secret, public = unsigned.folder / "club.key", unsigned.folder / "club.pub"
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert PublicKey.parse(public.read_text()).name == NAME
    assert public.read_text().strip() in shown
    assert secret.read_text().strip() not in shown


def test_a_key_that_cannot_be_written_whole_is_not_left_behind(tmp_path: Path) -> None:
    command = f'ulimit -f 0; exec "{sys.executable}" -B -m ledger checkpoint --make-key club'
    answered = subprocess.run(
        ["sh", "-c", command], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False
    )
    assert (answered.returncode, answered.stderr) == (2, "trickledger: File too large: club.key\n")
    assert not list(tmp_path.iterdir())


def test_a_checkpoint_is_a_note_of_three_lines_and_a_signature(home: CommandLine) -> None:
    shown = home.json("checkpoint")
    assert shown["entries"] == home.json("verify")["entries"]
    text = (home.folder / "club.checkpoint").read_text()
    assert re.fullmatch(rf"{NAME}\n{shown['entries']}\n{re.escape(shown['root'])}\n\n— {NAME} [A-Za-z0-9+/]+=\n", text)
    assert home.ok("checkpoint").startswith(f"Signed {shown['entries']} entries, root {shown['root']}")


def test_a_checkpoint_follows_the_ledger_and_never_leaves_its_own_past(home: CommandLine) -> None:
    first = (home.folder / "club.checkpoint").read_bytes()
    home.record({"type": "noted", "text": "late"})
    assert home.json("checkpoint")["entries"] == int(first.split(b"\n")[1]) + 1
    rewrite(home, 3, recorded_by="somebody")
    newest = (home.folder / "club.checkpoint").read_bytes()
    assert newest != first
    assert "it was rewritten, or is another ledger" in home.refused(4, "checkpoint")
    assert (home.folder / "club.checkpoint").read_bytes() == newest


def receipt(home: CommandLine, *words: object) -> Path:
    home.ok("receipt", "ombre-revoke", "--deal", 1, *words)
    return home.folder / "ombre-revoke-1.receipt"


def test_a_receipt_is_checked_without_the_ledger_by_somebody_else(home: CommandLine, tmp_path: Path) -> None:
    made = receipt(home)
    key = (home.folder / "club.pub").read_text().strip()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "deal.receipt").write_bytes(made.read_bytes())
    answered = process("verify", "--receipt", "deal.receipt", "--key", key, folder=elsewhere)
    assert (answered.returncode, answered.stderr) == (0, b"")
    shown = answered.stdout.decode()
    assert shown.startswith(f"Proven: ombre-revoke, deal 1, in {NAME} of 42 entries\n")
    assert "    1  table opened: game ombre, players Belinda, Baron, Clarissa\n" in shown
    assert "   25  card played: Baron, ♥2\n" in shown
    assert "cards exchanged: Belinda, count 4, discarded ♥K ♥J ♦3 ♣3, drawn ♠7 ♣K ♠Q ♠K" in shown
    assert sorted(file.name for file in elsewhere.iterdir()) == ["deal.receipt"], "asking makes no files"


def test_what_is_proven_is_what_the_export_holds(home: CommandLine) -> None:
    shown = home.json("verify", "--receipt", receipt(home), "--key", "club.pub")
    exported = home.entries()
    assert shown["entries"] == [entry for entry in exported if entry["stream"] == "table/ombre-revoke"]
    assert (shown["proven"], shown["table"], shown["deals"], shown["size"]) == (
        True,
        "ombre-revoke",
        [1],
        len(exported),
    )


def test_a_ledger_rewritten_after_it_was_signed_is_detected_by_the_checkpoint_alone(home: CommandLine) -> None:
    rewrite(home, 29, event='{"type":"card_played","seat":1,"card":"D6"}')
    assert home.json("verify")["damage"]["position"] == 42, "its head is another than the one that was seen"
    (home.folder / "club.ledger.seen").unlink()
    what = "Damaged: entries 1 to 42 are not those that were signed: the ledger was rewritten"
    for given in ((), ("--consistent-with", "club.checkpoint")):
        answered = home.run("verify", *given)
        assert (answered.exit_code, answered.stdout.splitlines()[0]) == (1, what)
    (home.folder / "club.checkpoint").rename(home.folder / "kept.checkpoint")
    assert home.ok("verify").startswith("Undamaged: 42 entries")
    assert home.run("verify", "--consistent-with", "kept.checkpoint").exit_code == 1


def test_a_private_key_given_for_something_else_is_not_shown(home: CommandLine) -> None:
    secret = home.folder / "club.key"
    raw = secret.read_text().strip().split("+", 4)[4]  # base64 may have a plus of its own
    for words in (
        ["verify", "--consistent-with", home.folder / "club.checkpoint", "--key", secret],
        ["verify", "--consistent-with", secret],
        ["import", secret],
        ["stats", "league", "--rules", secret],
    ):
        refused = home.run(*words)
        assert refused.exit_code != 0
        assert raw not in refused.output


@pytest.fixture
def cosigned(bare_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(bare_cli.folder)
    return bare_cli.made_by(witnessed)


def cosign(cosigned: CommandLine, *names: str) -> None:
    for name in names:
        cosigned.ok("checkpoint", "--cosign", f"{name}.key")


def test_a_cosignature_is_as_the_specification_has_it(cosigned: CommandLine) -> None:
    before = (cosigned.folder / "club.checkpoint").read_text()
    output = cosigned.json("checkpoint", "--cosign", "ann.key")
    after = (cosigned.folder / "club.checkpoint").read_text()
    assert after.startswith(before), "what was signed is as it was"
    body = before.rpartition("\n\n")[0] + "\n"
    name, line = after.removeprefix(before).removeprefix("— ").split()
    raw = b64decode(line)
    public = b64decode((cosigned.folder / "ann.pub").read_text().split("+", 2)[2])[1:]
    key_id, at, signature = raw[:4], int.from_bytes(raw[4:12]), raw[12:]
    assert (name, len(signature)) == ("ann.example", 64)
    assert key_id == sha256(b"ann.example\n\x04" + public).digest()[:4]
    Ed25519PublicKey.from_public_bytes(public).verify(signature, f"cosignature/v1\ntime {at}\n{body}".encode())
    assert output["witness"] == f"ann.example+{key_id.hex()}+{b64encode(bytes([4]) + public).decode()}"


def test_what_another_program_has_cosigned_is_taken(cosigned: CommandLine) -> None:
    secret = Ed25519PrivateKey.from_private_bytes(bytes(32))
    public = secret.public_key().public_bytes_raw()
    key_id = sha256(b"w.example\n\x04" + public).digest()[:4]
    path = cosigned.folder / "club.checkpoint"
    body = path.read_text().rpartition("\n\n")[0] + "\n"
    signature = secret.sign(f"cosignature/v1\ntime 1679315147\n{body}".encode())
    line = b64encode(key_id + (1679315147).to_bytes(8) + signature).decode()
    path.write_text(path.read_text() + f"— w.example {line}\n")
    key = f"w.example+{key_id.hex()}+{b64encode(bytes([4]) + public).decode()}"
    output = cosigned.json("verify", "--consistent-with", path, "--witness", key)
    assert output["cosigned"] == [{"witness": f"w.example+{key_id.hex()}", "at": "2023-03-20T12:25:47.000000Z"}]
    *others, last = b64decode(line)  # the last byte is often 0
    path.write_text(path.read_text().replace(line, b64encode(bytes([*others, last ^ 1])).decode()))
    assert cosigned.run("verify", "--consistent-with", path, "--witness", key).exit_code == 3


def test_one_key_under_two_names_is_one_witness(cosigned: CommandLine) -> None:
    cosign(cosigned, "ann")
    name, _, raw = (cosigned.folder / "ann.pub").read_text().strip().split("+", 2)
    public = b64decode(raw)[1:]
    alias = sha256(b"alias.example\n\x04" + public).digest()[:4]
    path = cosigned.folder / "club.checkpoint"
    line = path.read_text().splitlines()[-1].split()[-1]
    path.write_text(path.read_text() + f"— alias.example {b64encode(alias + b64decode(line)[4:]).decode()}\n")
    key = f"alias.example+{alias.hex()}+{b64encode(bytes([4]) + public).decode()}"
    output = cosigned.run(
        "verify",
        "--consistent-with",
        path,
        *("--witness", "ann.pub", "--witness", "ben.pub", "--witness", key),
        "--threshold",
        2,
    )
    assert (output.exit_code, name) == (3, "ann.example")


def test_signing_the_same_ledger_again_keeps_the_cosignatures(cosigned: CommandLine) -> None:
    cosign(cosigned, "ann")
    cosign(cosigned, "ann")
    assert len((cosigned.folder / "club.checkpoint").read_text().splitlines()) == 6, "one line a witness"
