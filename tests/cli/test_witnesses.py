"""Witnesses: `checkpoint --cosign`, what `verify --witness` requires of a checkpoint, and two ledgers under one key."""

from base64 import b64decode, b64encode
from hashlib import sha256

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from tests.cli.commands import CommandLine, witnessed


@pytest.fixture
def home(bare_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(bare_cli.folder)
    return bare_cli.made_by(witnessed)


def cosign(home: CommandLine, *names: str) -> None:
    for name in names:
        home.ok("checkpoint", "--cosign", f"{name}.key")


def witness_options(*names: str) -> list[str]:
    return [word for name in names for word in ("--witness", f"{name}.pub")]


def test_a_cosignature_is_as_the_specification_has_it(home: CommandLine) -> None:
    before = (home.folder / "club.checkpoint").read_text()
    output = home.json("checkpoint", "--cosign", "ann.key")
    after = (home.folder / "club.checkpoint").read_text()
    assert after.startswith(before), "what was signed is as it was"
    body = before.rpartition("\n\n")[0] + "\n"
    name, line = after.removeprefix(before).removeprefix("— ").split()
    raw = b64decode(line)
    public = b64decode((home.folder / "ann.pub").read_text().split("+", 2)[2])[1:]
    key_id, at, signature = raw[:4], int.from_bytes(raw[4:12]), raw[12:]
    assert (name, len(signature)) == ("ann.example", 64)
    assert key_id == sha256(b"ann.example\n\x04" + public).digest()[:4]
    Ed25519PublicKey.from_public_bytes(public).verify(signature, f"cosignature/v1\ntime {at}\n{body}".encode())
    assert output["witness"] == f"ann.example+{key_id.hex()}+{b64encode(bytes([4]) + public).decode()}"


def test_what_another_program_has_cosigned_is_taken(home: CommandLine) -> None:
    secret = Ed25519PrivateKey.from_private_bytes(bytes(32))
    public = secret.public_key().public_bytes_raw()
    key_id = sha256(b"w.example\n\x04" + public).digest()[:4]
    path = home.folder / "club.checkpoint"
    body = path.read_text().rpartition("\n\n")[0] + "\n"
    signature = secret.sign(f"cosignature/v1\ntime 1679315147\n{body}".encode())
    line = b64encode(key_id + (1679315147).to_bytes(8) + signature).decode()
    path.write_text(path.read_text() + f"— w.example {line}\n")
    key = f"w.example+{key_id.hex()}+{b64encode(bytes([4]) + public).decode()}"
    output = home.json("verify", "--consistent-with", path, "--witness", key)
    assert output["cosigned"] == [{"witness": f"w.example+{key_id.hex()}", "at": "2023-03-20T12:25:47.000000Z"}]
    *others, last = b64decode(line)  # the last byte is often 0
    path.write_text(path.read_text().replace(line, b64encode(bytes([*others, last ^ 1])).decode()))
    assert home.run("verify", "--consistent-with", path, "--witness", key).exit_code == 3


def test_one_key_under_two_names_is_one_witness(home: CommandLine) -> None:
    cosign(home, "ann")
    name, _, raw = (home.folder / "ann.pub").read_text().strip().split("+", 2)
    public = b64decode(raw)[1:]
    alias = sha256(b"alias.example\n\x04" + public).digest()[:4]
    path = home.folder / "club.checkpoint"
    line = path.read_text().splitlines()[-1].split()[-1]
    path.write_text(path.read_text() + f"— alias.example {b64encode(alias + b64decode(line)[4:]).decode()}\n")
    key = f"alias.example+{alias.hex()}+{b64encode(bytes([4]) + public).decode()}"
    output = home.run(
        "verify", "--consistent-with", path, *witness_options("ann", "ben"), "--witness", key, "--threshold", 2
    )
    assert (output.exit_code, name) == (3, "ann.example")


def test_signing_the_same_ledger_again_keeps_the_cosignatures(home: CommandLine) -> None:
    cosign(home, "ann")
    cosign(home, "ann")
    assert len((home.folder / "club.checkpoint").read_text().splitlines()) == 6, "one line a witness"
