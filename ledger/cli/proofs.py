"""The commands `verify`, `checkpoint` and `receipt`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

import click
from msgspec.structs import asdict

from ledger import api
from ledger.cli.completion import table_names
from ledger.cli.errors import wrong_use, wrong_value
from ledger.cli.language import phrase
from ledger.cli.numbers import WholeNumber
from ledger.cli.output import A_FILE, check_output, is_file_to_be, output_file, overwrite_option, show
from ledger.cli.progress import activity_spinner, progress_if_slow
from ledger.cli.state import CliState, command
from ledger.errors import ConflictError, MalformedError
from ledger.limits import WITNESS_REQUEST_BYTES
from ledger.log.answers import CheckpointAnswer, CosignAnswer, KeysAnswer, ReceiptAnswer
from ledger.log.paths import checkpoint_of, cosigned_of, public_key_of, public_key_to, receipt_name, secret_key_of
from ledger.log.proof_files import read_public_key, read_witness, replace_file, write_new
from ledger.log.signed_note import PublicKey, Witness, cosignatures
from ledger.outside import read_file
from ledger.recording.deal_receipts import later_entries
from ledger.streams import TABLE
from ledger.text.catalogue import label
from ledger.text.files import checkpoint_facts, checkpoint_text, cosigned_text, keys_text, receipt_text
from ledger.text.verification import proof_facts, proof_text, verification_facts, verification_text

Key = TypeVar("Key")


def public_key(context: click.Context, param: click.Parameter, value: str | None) -> PublicKey | None:
    """Return the public key of an option: the key itself (recognised by its `+`), or read from a file."""
    return None if value is None else _of_text_or_file(param, value, PublicKey.parse, read_public_key)


def public_keys_of_witnesses(
    context: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> tuple[Witness, ...]:
    """Return the public keys of witnesses from an option, given as keys or as files."""
    return tuple(_of_text_or_file(param, value, Witness.parse, read_witness) for value in values)


def _of_text_or_file(
    param: click.Parameter, value: str, parse: Callable[[str], Key], read: Callable[[Path], Key]
) -> Key:
    if "+" not in value:
        return read(Path(value))
    try:
        return parse(value)
    except MalformedError as error:
        raise wrong_value(max(param.opts, key=len), error.said) from None


def key_of_ledger(ledger: Path) -> PublicKey:
    """Return the public key next to the ledger, by which its checkpoints are checked by default."""
    path = public_key_of(ledger)
    if not path.exists():
        raise wrong_use("no_public_key", file=path)
    return read_public_key(path)


@command()
@click.option("--receipt", "receipt_path", type=A_FILE, help="Check this receipt; no ledger is needed.")
@click.option(
    "--consistent-with",
    "old_path",
    type=A_FILE,
    metavar="OLD_CHECKPOINT",
    help="Check that the ledger has only grown since this checkpoint (or the one in a receipt) was signed.",
)
@click.option(
    "--key",
    callback=public_key,
    metavar="KEY",
    help="The public key, or its file; default for --consistent-with: club.pub next to club.ledger.",
)
@click.option(
    "--history",
    is_flag=True,
    help="Compare the read model with one rebuilt from the ledger, which is not checked; exit status 1 if they differ.",
)
@click.option(
    "--witness",
    "witnesses",
    multiple=True,
    callback=public_keys_of_witnesses,
    metavar="PUBKEY",
    help="The public key of a witness who must have cosigned the checkpoint, or its file; repeatable.",
)
@click.option(
    "--threshold", type=WholeNumber(1), metavar="N", help="How many of the witnesses must have cosigned; default: all."
)
@click.option(
    "--list",
    "list_path",
    type=A_FILE,
    metavar="LIST",
    help="Check a signed list of the --witness, and that the ledger continues what it lists for this club.",
)
@click.option(
    "--evidence",
    "evidence_path",
    type=A_FILE,
    metavar="EVIDENCE",
    help="Check evidence of a witness against the owner of --key; no ledger is needed. Status 1: it proves nothing.",
)
@click.option(
    "--accept-rollback",
    "reason",
    metavar="REASON",
    help="Keep a ledger that lacks entries it had before; your reason is stored next to the ledger and shown.",
)
def verify(
    state: CliState,
    receipt_path: Path | None,
    old_path: Path | None,
    key: PublicKey | None,
    history: bool,
    witnesses: tuple[Witness, ...],
    threshold: int | None,
    list_path: Path | None,
    evidence_path: Path | None,
    reason: str | None,
) -> None:
    """Verify the ledger: read every byte, check the hash chain, and name the first damaged position.

    The exit status is 1 if the ledger is damaged, even if nothing in it can be read.

    A ledger without an entry that it had before is an older copy, which counts as damage. Nothing is recorded in it
    until you bring the newer one back or use --accept-rollback.

    \b
    Example:
      trickledger verify
      trickledger verify --consistent-with january.checkpoint
      trickledger verify --receipt ombre-revoke-1.receipt --key club.pub
      trickledger verify --consistent-with january.checkpoint --witness ann.pub --witness ben.pub --threshold 1
      trickledger verify --list clubs-2026-01-31.list --witness league.pub
      trickledger verify --evidence case.evidence --key club.pub
    """
    if history:
        if any((receipt_path, old_path, key, witnesses, threshold, list_path, evidence_path, reason)):
            raise wrong_use("history_alone")
        sys.exit(0 if _is_history_sound(state) else 1)
    if evidence_path is not None:
        if any((receipt_path, old_path, witnesses, threshold, list_path, reason)):
            raise wrong_use("evidence_alone")
        if key is None:
            raise wrong_use("receipt_needs_key")
        sys.exit(0 if _is_proven(state, evidence_path, key) else 1)
    if list_path is not None:
        if any((receipt_path, old_path, threshold, reason)) or len(witnesses) != 1:
            raise wrong_use("list_with_witness")
        key = key or key_of_ledger(state.sidecar_base)
        sys.exit(0 if _verify_list(state, list_path, key, witnesses[0]) is None else 1)
    if reason is not None and not (receipt_path is None and old_path is None):
        raise wrong_use("rollback_of_ledger")
    if witnesses and receipt_path is None and old_path is None:
        raise wrong_use("witness_goes_with")
    policy = _WitnessPolicy(witnesses, len(witnesses) if threshold is None else threshold)
    if policy.threshold > len({one.raw for one in witnesses}):
        raise wrong_value("--threshold", phrase("usage.too_few_witnesses", all=len(witnesses)))
    if receipt_path is not None:
        if key is None:
            raise wrong_use("receipt_needs_key")
        old = None if old_path is None else api.read_checkpoint(old_path, key)
        damage = _verify_receipt(receipt_path, old, key, policy, state)
    elif old_path is not None:
        key = key or key_of_ledger(state.sidecar_base)
        old = api.read_checkpoint(old_path, key, witness=witnesses, threshold=threshold)
        damage = _verify_ledger(state, old, key, policy, None)
    elif key is not None:
        raise wrong_use("key_goes_with")
    else:
        damage = _verify_ledger(state, None, None, policy, reason)
    if damage is not None:
        sys.exit(1)


def _is_proven(state: CliState, path: Path, key: PublicKey) -> bool:
    """Print what evidence proves against the owner of the key, and return whether that is equivocation."""
    from ledger.text.witness import evidence_facts, evidence_text

    facts = evidence_facts(api.read_evidence(path), key)
    state.print(facts, evidence_text(facts, key, state.lang))
    return facts.proven


def _verify_list(state: CliState, path: Path, key: PublicKey, witness: Witness) -> api.Damage | None:
    """Check the list of a witness, then that the ledger continues the tree listed for the club of this key."""
    signed = api.read_list(path, witness)
    listed = api.Checkpoint(key.name, signed.club(key.name).tree, signed.checkpoint.note)
    damage = _verify_ledger(state, listed, key, _WitnessPolicy((), 0), None)
    if damage is None and not state.is_json:
        show([label(state.lang, "verify.listed", witness=witness.label, day=signed.day)])
    return damage


class _WitnessPolicy(NamedTuple):
    """The witnesses, and how many of them must have cosigned."""

    witnesses: tuple[Witness, ...]
    threshold: int


def _verify_receipt(
    path: Path, old: api.Checkpoint | None, key: PublicKey, policy: _WitnessPolicy, state: CliState
) -> api.Damage | None:
    receipt = api.read_receipt(path)
    damage = api.verify_receipt(receipt, key, consistent_with=old, witness=policy.witnesses, threshold=policy.threshold)
    cosigned = cosignatures(receipt.checkpoint.note, policy.witnesses)
    facts = proof_facts(receipt, key, damage, old, cosigned, state.lang)
    state.print(facts, proof_text(receipt, key, damage, old, cosigned, state.lang, state.tz))
    return damage


def _is_history_sound(state: CliState) -> bool:
    from ledger.history import usable_cores
    from ledger.text.history import history_facts, history_text

    with progress_if_slow(label(state.lang, "progress.reading_ledger")) as report:
        verification = api.verify_history(state.ledger, progress=report, workers=usable_cores())
    state.print(history_facts(verification, state.lang), history_text(verification, state.lang))
    return verification.difference is None


def _verify_ledger(
    state: CliState,
    old: api.Checkpoint | None,
    key: PublicKey | None,
    policy: _WitnessPolicy,
    reason: str | None,
) -> api.Damage | None:
    lang = state.lang
    with activity_spinner(label(lang, "progress.verifying")) as report:
        verification = api.verify(
            state.ledger,
            consistent_with=old,
            key=key,
            accept_rollback=reason,
            progress=lambda done, size: report(label(lang, "progress.verified", done=f"{done:,}", size=f"{size:,}")),
        )
    cosigned = [] if old is None else cosignatures(old.note, policy.witnesses)
    facts = verification_facts(verification, old, cosigned, lang)
    state.print(facts, verification_text(verification, old, cosigned, lang, state.tz))
    return verification.damage


@command()
@click.option("--make-key", "name", metavar="NAME", help="Create the keys, once; NAME is one word for this ledger.")
@click.option("--key", "key_path", type=A_FILE, help="The private key; default: club.key next to club.ledger.")
@click.option(
    "--cosign",
    "witness_path",
    type=A_FILE,
    metavar="KEY",
    help="As a witness with this private key, cosign the existing checkpoint after checking it against the ledger.",
)
@click.option(
    "--for-witness",
    "since",
    metavar="SINCE",
    help="Write the existing checkpoint as a request to a witness that cosigned SINCE last: a number of entries (0 for"
    " none), or an older checkpoint.",
)
@click.option(
    "--witness-url",
    "url",
    metavar="URL",
    help="Have the existing checkpoint cosigned by the --witness at this address.",
)
@click.option(
    "--add-cosignature",
    "answer_path",
    type=A_FILE,
    metavar="ANSWER",
    help="Add the cosignature of the --witness, from its answer to a request, to the existing checkpoint.",
)
@click.option(
    "--witness",
    "witnesses",
    multiple=True,
    callback=public_keys_of_witnesses,
    metavar="PUBKEY",
    help="The public key of the witness, or its file.",
)
@click.option("--output", "-o", type=A_FILE, help="File to write; default: club.checkpoint next to club.ledger.")
def checkpoint(
    state: CliState,
    name: str | None,
    key_path: Path | None,
    witness_path: Path | None,
    since: str | None,
    url: str | None,
    answer_path: Path | None,
    witnesses: tuple[Witness, ...],
    output: Path | None,
) -> None:
    """Sign a checkpoint of the ledger: the number of its entries and the root of a hash tree over them.

    Anyone who keeps a copy can check later whether any entry was changed. An existing checkpoint is replaced only if
    the ledger continues it.

    \b
    Example:
      trickledger checkpoint --make-key club.example/ledger
      trickledger checkpoint
      trickledger checkpoint --cosign ann.key
      trickledger checkpoint --for-witness january.checkpoint -o club.request
      trickledger checkpoint --witness-url https://league.example/witness --witness league.pub
    """
    by_witness = [one for one in (since, url, answer_path) if one is not None]
    if by_witness or witnesses:
        if len(by_witness) != 1 or any((name, key_path, witness_path)):
            raise wrong_use("one_way_to_witness")
        if since is not None and witnesses:
            raise wrong_use("request_takes_no_witness")
        if since is None and len(witnesses) != 1:
            raise wrong_use("needs_one_witness", option="--add-cosignature" if url is None else "--witness-url")
        if since is not None:
            _write_request(state, since, output)
        else:
            _add_cosignature(state, url, answer_path, witnesses[0], output or checkpoint_of(state.sidecar_base))
        return
    if witness_path is not None:
        if name is not None or key_path is not None:
            raise wrong_use("cosign_alone")
        _cosign(state, witness_path, output or checkpoint_of(state.sidecar_base))
        return
    key_path = key_path or secret_key_of(state.sidecar_base)
    if name is not None:
        if output is not None:
            raise wrong_use("make_key_alone")
        _make_keys(state, name, key_path)
        return
    if not key_path.exists():
        raise wrong_use("no_key", file=key_path)
    output = output or checkpoint_of(state.sidecar_base)
    check_output(str(output), overwrite=True, but=(checkpoint_of,))
    key = api.read_secret_key(key_path)
    last = _last_checkpoint(output, key.public())
    with state.store() as store:
        made = api.checkpoint(store, key, last)
    replace_file(output, str(made).encode())
    answer = CheckpointAnswer(checkpoint=str(output), **asdict(checkpoint_facts(made)), key=str(key.public()))
    state.print(answer, checkpoint_text(output, made, key.public(), state.lang))


def _cosign(state: CliState, key_path: Path, path: Path) -> None:
    signed = api.read_checkpoint(path, key_of_ledger(state.sidecar_base))
    key = api.read_secret_key(key_path)
    remembered = cosigned_of(key_path)
    last = api.read_checkpoint(remembered) if remembered.exists() else None
    with state.store() as store:
        made = api.cosign(store, signed, key, last)
    replace_file(remembered, str(made).encode())  # first: a checkpoint must not be given away before it is stored
    replace_file(path, str(made).encode())
    witness = Witness.of(key.public())
    answer = CosignAnswer(checkpoint=str(path), **asdict(checkpoint_facts(made)), witness=str(witness))
    state.print(answer, cosigned_text(path, made, witness, state.lang))


def _write_request(state: CliState, since: str, output: Path | None) -> None:
    """Write the request to a witness for the existing checkpoint."""
    from ledger.text.witness import request_text
    from ledger.witness.answers import CheckpointRequestAnswer

    signed, key = _signed_checkpoint(state, checkpoint_of(state.sidecar_base))
    old = int(since) if since.isdecimal() else api.read_checkpoint(Path(since), key)
    output = output or Path(checkpoint_of(state.sidecar_base).with_suffix(".request").name)
    check_output(str(output), overwrite=True)
    with state.store() as store:
        made = api.checkpoint_request(store, signed, old)
    with output_file(str(output), overwrite=True) as file:
        file.write(made.content())
    if str(output) == "-":
        return
    answer = CheckpointRequestAnswer(request=str(output), **asdict(checkpoint_facts(signed)), since=made.old_size)
    state.print(answer, request_text(output, made, state.lang))


def _add_cosignature(state: CliState, url: str | None, answer_path: Path | None, witness: Witness, path: Path) -> None:
    """Add the cosignature of a witness, from its service or from a file, to the existing checkpoint."""
    signed, _ = _signed_checkpoint(state, path)
    if answer_path is not None:
        content = read_file(answer_path, "witness_answer", WITNESS_REQUEST_BYTES)
        made = api.add_cosignature(signed, content, witness)
    else:
        assert url is not None, "one of both is given"
        with state.store() as store:
            made = api.send_to_witness(store, signed, url, witness)
    replace_file(path, str(made).encode())
    answer = CosignAnswer(checkpoint=str(path), **asdict(checkpoint_facts(made)), witness=str(witness))
    state.print(answer, cosigned_text(path, made, witness, state.lang))


def _signed_checkpoint(state: CliState, path: Path) -> tuple[api.Checkpoint, PublicKey]:
    """Return the existing checkpoint of the ledger, and the key that signed it."""
    if not path.exists():
        raise wrong_use("no_checkpoint", file=path)
    key = key_of_ledger(state.sidecar_base)
    return api.read_checkpoint(path, key), key


def _make_keys(state: CliState, name: str, secret: Path) -> None:
    if not secret.exists():
        check_output(str(secret), overwrite=True, but=(secret_key_of,))
    public = public_key_to(secret)
    key = api.make_keys(name, secret, public)
    answer = KeysAnswer(private_key=str(secret), public_key=str(public), key=str(key))
    state.print(answer, keys_text(secret, public, key, state.lang))


def _last_checkpoint(path: Path, key: api.PublicKey) -> api.Checkpoint | None:
    """Return the checkpoint in the file; raise `ConflictError` if the file is not one of ours and must be kept."""
    if not path.exists():
        return None
    last = api.read_checkpoint(path)
    what = last.fault(key)
    if what is not None:
        raise ConflictError("exists", phrase("another_checkpoint", file=path, what=what))
    return last


@command()
@click.argument("table", shell_complete=table_names)
@click.option("--deal", type=WholeNumber(1), required=True, help="The number of the deal.")
@click.option("--output", "-o", type=A_FILE, help="File to write, or - for standard output; default: TABLE-N.receipt.")
@overwrite_option
@click.option(
    "--checkpoint", "checkpoint_path", type=A_FILE, help="The checkpoint to prove it by; default: the newest."
)
@click.option("--since", type=A_FILE, help="Also prove that the ledger has only grown since this older checkpoint.")
def receipt(
    state: CliState,
    table: str,
    deal: int,
    output: Path | None,
    overwrite: bool,
    checkpoint_path: Path | None,
    since: Path | None,
) -> None:
    """Write a receipt for a deal of TABLE: a small file that proves what the ledger holds of it.

    Anyone who holds the receipt and the public key can check it without the ledger. It is based on the newest
    checkpoint.

    \b
    Example:
      trickledger receipt ombre-revoke --deal 1
      trickledger verify --receipt ombre-revoke-1.receipt --key club.pub
    """
    checkpoint_path = checkpoint_path or checkpoint_of(state.sidecar_base)
    if not checkpoint_path.exists():
        raise wrong_use("no_checkpoint", file=checkpoint_path)
    output = output or Path(receipt_name(TABLE.slug(table), deal))
    check_output(str(output), overwrite=overwrite)
    signed = api.read_checkpoint(checkpoint_path)
    older = None if since is None else api.read_checkpoint(since)
    with state.store() as store:
        made = api.receipt(store, table, deal, signed, older)
        later = later_entries(store, table, deal, signed.tree.size)
    if is_file_to_be(str(output)):
        (replace_file if overwrite else write_new)(output, made.content())
    else:
        with output_file(str(output), overwrite=overwrite) as file:
            file.write(made.content())
    if str(output) == "-":
        return
    facts = checkpoint_facts(signed)
    answer = ReceiptAnswer(receipt=str(output), entries=len(made.entries), later=later, checkpoint=facts)
    state.print(answer, receipt_text(output, made, later, state.lang))
