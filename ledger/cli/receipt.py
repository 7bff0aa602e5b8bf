"""Commands that make proofs for others to keep: `checkpoint`, `receipt`. They are checked by `verify`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ledger.cli.output import format_option, print_json, say
from ledger.cli.state import CliState
from ledger.errors import ConflictError, MalformedError
from ledger.log.checkpoint import Checkpoint, next_checkpoint
from ledger.log.companions import checkpoint_of, public_key_to, receipt_name, secret_key_of
from ledger.log.proof_files import (
    make_keys,
    read_checkpoint,
    read_public_key,
    read_secret_key,
    replace_file,
    write_new,
)
from ledger.log.signed_note import PublicKey, encoded
from ledger.recording.receipting import deal_receipt
from ledger.table.lookup import slug_of

A_FILE = click.Path(path_type=Path, dir_okay=False)


def public_key(context: click.Context, param: click.Parameter, value: str | None) -> PublicKey | None:
    """The value of an option: a public key, or the file that holds it. Where there is a `+`, no file is meant."""
    if value is None or "+" not in value:
        return None if value is None else read_public_key(Path(value))
    try:
        return PublicKey.parse(value)
    except MalformedError as error:
        raise click.BadParameter(str(error), context, param) from None


@click.command()
@click.option("--make-key", "name", metavar="NAME", help="Make the keys, once: NAME is one word for this ledger.")
@click.option("--key", "key_path", type=A_FILE, help="The private key; default: club.key beside club.ledger.")
@click.option("--output", "-o", type=A_FILE, help="Where to write; default: club.checkpoint beside club.ledger.")
@format_option
@click.pass_obj
def checkpoint(state: CliState, name: str | None, key_path: Path | None, output: Path | None, form: str) -> None:
    """Sign the ledger as it stands: how many entries it has, and the root of a hash tree over all of them.

    Whoever keeps a copy can tell later whether anything of it was changed. A checkpoint that is there already is
    replaced only where the ledger continues it.

    \b
    Example:
      trickledger checkpoint --make-key club.example/ledger
      trickledger checkpoint
    """
    key_path = key_path or secret_key_of(state.ledger_path)
    if name is not None:
        if output is not None:
            raise click.UsageError("--make-key makes keys and signs nothing: leave --output out.")
        _make_keys(name, key_path, form)
        return
    if not key_path.exists():
        raise click.UsageError(f"There is no key at {key_path}. Make one: trickledger checkpoint --make-key NAME")
    output = output or checkpoint_of(state.ledger_path)
    key = read_secret_key(key_path)
    last = _last_checkpoint(output, key.public())
    with state.store() as store:
        made = next_checkpoint(store, key, last)
    replace_file(output, str(made).encode())
    if form == "json":
        print_json(
            {
                "checkpoint": str(output),
                "origin": made.origin,
                "entries": made.tree.size,
                "root": encoded(made.tree.root),
                "key": str(key.public()),
            }
        )
    else:
        say(f"Signed {made.tree.size:,} entries, root {encoded(made.tree.root)}")
        say(f"with the key {key.public().label}: {output}")


def _make_keys(name: str, secret: Path, form: str) -> None:
    public = public_key_to(secret)
    key = make_keys(name, secret, public)
    if form == "json":
        print_json({"private_key": str(secret), "public_key": str(public), "key": str(key)})
    else:
        say(f"Made {secret}, which signs: show it to nobody, and keep a copy elsewhere.")
        say(f"Made {public}, which checks: give it to everybody.\n{key}")


def _last_checkpoint(path: Path, key: PublicKey) -> Checkpoint | None:
    """What was signed before; raises `ConflictError` where the file is none of ours, which must not be replaced."""
    if not path.exists():
        return None
    last = read_checkpoint(path)
    what = last.fault(key)
    if what is not None:
        raise ConflictError(f"{path} is another checkpoint, which was not replaced: {what}")
    return last


@click.command()
@click.argument("table")
@click.option("--deal", type=click.IntRange(min=1), required=True, help="Which deal.")
@click.option("--output", "-o", type=A_FILE, help="Where to write; default: TABLE-N.receipt. - is standard output.")
@click.option("--checkpoint", "checkpoint_path", type=A_FILE, help="Which one to prove it by; default: the newest.")
@click.option("--since", type=A_FILE, help="Prove as well that the ledger has only grown since this older checkpoint.")
@format_option
@click.pass_obj
def receipt(
    state: CliState,
    table: str,
    deal: int,
    output: Path | None,
    checkpoint_path: Path | None,
    since: Path | None,
    form: str,
) -> None:
    """Write a receipt of a deal of TABLE: a small file that proves what the ledger holds of it.

    Whoever has it and the public key needs nothing else to check it. It rests on the newest checkpoint.

    \b
    Example:
      trickledger receipt ombre-revoke --deal 1
      trickledger verify --receipt ombre-revoke-1.receipt --key club.pub
    """
    checkpoint_path = checkpoint_path or checkpoint_of(state.ledger_path)
    if not checkpoint_path.exists():
        raise click.UsageError(f"There is no checkpoint at {checkpoint_path}. Make one: trickledger checkpoint")
    signed = read_checkpoint(checkpoint_path)
    older = None if since is None else read_checkpoint(since).tree
    with state.store() as store:
        made = deal_receipt(store, table, deal, signed, older)
    output = output or Path(receipt_name(slug_of(table), deal))
    if str(output) == "-":
        sys.stdout.buffer.write(made.content())
        return
    write_new(output, made.content())
    if form == "json":
        print_json({"receipt": str(output), "entries": len(made.entries), "checkpoint": _told(signed)})
    else:
        size = f"{signed.tree.size:,} entries"
        say(f"Wrote {output}: {len(made.entries)} entries, proven by the checkpoint of {size}")


def _told(signed: Checkpoint) -> dict[str, object]:
    return {"origin": signed.origin, "entries": signed.tree.size, "root": encoded(signed.tree.root)}
