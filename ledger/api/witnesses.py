"""Witnesses without a ledger: requests of clubs, cosignatures, evidence, lists, and the witness itself."""

from __future__ import annotations

from pathlib import Path

from ledger.errors import ConflictError, MalformedError, in_file
from ledger.limits import RECEIPT_BYTES, WITNESS_LIST_BYTES
from ledger.log.base import LogStore
from ledger.log.checkpoint import Checkpoint
from ledger.log.proof_files import read_proof
from ledger.log.signed_note import PublicKey, Witness
from ledger.streams import TABLE, load_packages
from ledger.table.hiding import hidden_in
from ledger.witness import client, request
from ledger.witness.catalogue import phrase
from ledger.witness.evidence import Evidence
from ledger.witness.folder import WitnessFolder
from ledger.witness.request import CheckpointRequest
from ledger.witness.signed_list import SignedList


def checkpoint_request(store: LogStore, checkpoint: Checkpoint, for_witness: Checkpoint | int) -> CheckpointRequest:
    """Return the request to a witness to cosign a checkpoint, with the proof that the ledger only grew.

    `for_witness`: the checkpoint that the witness cosigned last, or its number of entries. Raise `ConflictError` if the
    ledger does not continue it, or the checkpoint covers an open deal, whose cards could be guessed from the proof.
    """

    _refuse_open_deals(store, checkpoint)
    if isinstance(for_witness, int):
        return request.checkpoint_request(store, checkpoint, for_witness)
    return request.checkpoint_request(store, checkpoint, for_witness.tree.size, for_witness.tree)


def send_to_witness(store: LogStore, checkpoint: Checkpoint, witness_url: str, witness: Witness) -> Checkpoint:
    """Return the checkpoint with the cosignature of the witness at an address.

    Raise `ConflictError` if the witness refuses, or as `checkpoint_request`; `UnreadableError` if it does not answer.
    """

    _refuse_open_deals(store, checkpoint)
    return client.cosigned_by_service(witness_url, store, checkpoint, [witness])


def add_cosignature(checkpoint: Checkpoint, answer: bytes, witness: Witness) -> Checkpoint:
    """Return the checkpoint with the cosignature in a witness's answer to a request.

    Raise `MalformedError` if it has no valid one.
    """

    return request.with_cosignatures(checkpoint, answer, [witness])


def read_evidence(file: str | Path) -> Evidence:
    """Read evidence of a witness; its `verdict(key)` says what it proves against the owner of a key."""

    return read_proof(Path(file), "receipt", RECEIPT_BYTES, Evidence.parse)


def read_list(file: str | Path, witness: Witness) -> SignedList:
    """Read a daily list, or one line of it. Raise `MalformedError` if this witness did not sign it."""

    signed = read_proof(Path(file), "witness_list", WITNESS_LIST_BYTES, SignedList.parse)
    why = signed.fault(PublicKey(witness.name, witness.raw))
    if why is not None:
        raise MalformedError(phrase("list.unreliable", why=why), where=in_file(file))
    return signed


def make_witness(folder: str | Path, name: str) -> PublicKey:
    """Create the folder of a witness with its key. Raise `ConflictError` if there is one."""

    return WitnessFolder.create(Path(folder), name)


def open_witness(folder: str | Path) -> WitnessFolder:
    """Open a witness in its folder: it registers clubs, cosigns requests, signs lists, and recovers after a loss."""

    return WitnessFolder(Path(folder))


def _refuse_open_deals(store: LogStore, checkpoint: Checkpoint) -> None:
    """Raise `ConflictError` if the checkpoint covers hidden entries of an open deal."""
    load_packages()
    size = checkpoint.tree.size
    tables = tuple(TABLE.slug(one.stream) for one in store.streams(TABLE.prefix) if _hides(store, one.stream, size))
    if tables:
        raise ConflictError("deal_open", phrase("refused.open_deal", tables=tables))


def _hides(store: LogStore, stream: str, size: int) -> bool:
    """Return whether the first `size` entries of the ledger contain something of a table that is hidden now."""
    rows = store.read_stream(stream)
    try:
        hidden = hidden_in([(row.version, row.event()) for row in rows])
    except Exception:  # a missing or failing game: nothing is known to be open to all
        return rows[0].position <= size
    return hidden is not None and rows[hidden.version - 1].position <= size
