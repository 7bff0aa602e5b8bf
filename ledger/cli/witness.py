"""The command `witness`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import click

from ledger import api
from ledger.addresses import USUAL_PORT
from ledger.cli.errors import wrong_use
from ledger.cli.numbers import WholeNumber
from ledger.cli.output import A_FILE, check_output, output_file, say
from ledger.cli.proofs import public_key
from ledger.cli.state import CliState, command
from ledger.extras import module_of_extra
from ledger.limits import WITNESS_REQUEST_BYTES
from ledger.log.base import utc_now
from ledger.log.signed_note import Witness, encoded
from ledger.outside import read_file
from ledger.text.catalogue import label
from ledger.text.files import checkpoint_facts, cosigned_text
from ledger.text.witness import club_facts, clubs_text, list_text, recovered_text, witness_keys_text
from ledger.witness.answers import (
    WitnessCosignAnswer,
    WitnessKeysAnswer,
    WitnessListAnswer,
    WitnessRecoverAnswer,
)
from ledger.witness.folder import WitnessFolder
from ledger.witness.request import CheckpointRequest, cosignature_lines

_TAKEN: Final[Mapping[str, tuple[str, ...]]] = {
    "init": (),
    "add": (),
    "clubs": (),
    "cosign": ("output", "overwrite"),
    "list": ("date", "club", "output", "overwrite"),
    "recover": (),
    "serve": ("host", "port"),
}
"""The options that each action takes."""

_WORDS: Final[Mapping[str, tuple[str, int]]] = {
    "init": ("NAME", 1),
    "add": ("KEY", 1),
    "clubs": ("", 0),
    "cosign": ("REQUEST", 1),
    "list": ("", 0),
    "recover": ("CHECKPOINT", 1_000_000),
    "serve": ("", 0),
}
"""The words after each action: their name, and how many there are at most; one is needed where there is a name."""


@command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.argument("action", type=click.Choice(list(_TAKEN)), metavar="|".join(_TAKEN))
@click.argument("word", nargs=-1)
@click.option("--output", "-o", type=A_FILE, help="File to write, or - for standard output; default: a name that fits.")
@click.option("--overwrite", is_flag=True, help="Replace the file of --output.")
@click.option(
    "--date",
    type=click.DateTime(formats=["%Y-%m-%d"]),
    metavar="DATE",
    help="The day of the list (UTC), e.g. 2026-01-31; default: yesterday.",
)
@click.option("--club", metavar="ORIGIN", help="Write only the line of this club, with its proof.")
@click.option("--host", help="The address to listen at; default: 127.0.0.1, this machine only.")
@click.option("--port", type=WholeNumber(0, 65_535), help=f"The port to listen at; default: {USUAL_PORT}, 0 takes any.")
def witness(state: CliState, folder: Path, action: str, word: tuple[str, ...], **given: Any) -> None:
    """Watch over clubs as a witness: cosign their checkpoints without having their ledgers.

    A witness cosigns a checkpoint only if it continues the last one of the club. It keeps what it cosigned in FOLDER,
    with evidence against clubs that show different ledgers.

    \b
    init NAME           create FOLDER with a key; NAME is one word for the witness
    add KEY             register a club by its public key, or the key's file
    clubs               list the clubs, with what was cosigned last
    cosign REQUEST      cosign the checkpoint in a request of a club (checkpoint --for-witness)
    serve               answer requests over HTTP (C2SP tlog-witness)
    list                write the signed list of all clubs as of the end of a day
    recover CHECKPOINT  after a loss, learn from cosigned checkpoints of clubs

    \b
    trickledger witness league init league.example/witness
    trickledger witness league add club.pub
    trickledger witness league cosign club.request
    trickledger witness league list --date 2026-01-31
    """
    options = {name: value for name, value in given.items() if value not in (None, False)}
    _check_words(action, word, options)
    if action == "init":
        key = api.make_witness(folder, word[0])
        answer = WitnessKeysAnswer(folder=str(folder), key=str(key), witness=str(Witness.of(key)))
        state.print(answer, witness_keys_text(folder, key, state.lang))
        return
    _ACTIONS[action](state, api.open_witness(folder), word, options)


def _add_club(state: CliState, opened: WitnessFolder, words: Sequence[str], options: dict[str, Any]) -> None:
    context = click.get_current_context()
    key = public_key(context, next(param for param in context.command.params if param.name == "word"), words[0])
    assert key is not None, "a key was given"
    opened.add_club(key)
    facts = club_facts([club for club in opened.statuses() if club.origin == key.name], utc_now())
    state.print(facts, clubs_text(facts, state.lang, state.tz))


def _clubs(state: CliState, opened: WitnessFolder, words: Sequence[str], options: dict[str, Any]) -> None:
    facts = club_facts(opened.statuses(), utc_now())
    state.print(facts, clubs_text(facts, state.lang, state.tz))


def _cosign(state: CliState, opened: WitnessFolder, words: Sequence[str], options: dict[str, Any]) -> None:
    request = CheckpointRequest.parse(read_file(Path(words[0]), "witness_request", WITNESS_REQUEST_BYTES))
    output = options.get("output") or Path(Path(words[0]).with_suffix(".cosignature").name)
    check_output(str(output), overwrite=_overwrites(options))
    made = opened.cosign(request, is_repeatable=True)
    _write(output, cosignature_lines(made.note, opened.witness), options)
    if str(output) == "-":
        return
    tree = checkpoint_facts(made)
    answer = WitnessCosignAnswer(
        cosignature=str(output), origin=tree.origin, entries=tree.entries, root=tree.root, witness=str(opened.witness)
    )
    state.print(answer, cosigned_text(output, made, opened.witness, state.lang))


def _list(state: CliState, opened: WitnessFolder, words: Sequence[str], options: dict[str, Any]) -> None:
    now = utc_now().astimezone(UTC)
    chosen: datetime = options.get("date") or now - timedelta(days=1)
    made = opened.list_of(chosen.date())
    part = made.line_of(options["club"]) if "club" in options else made
    name = f"clubs-{made.day}.list" if part.first is None else f"clubs-{made.day}-{part.first}.list"
    output = options.get("output") or Path(name)
    check_output(str(output), overwrite=_overwrites(options))
    _write(output, part.content(), options)
    if str(output) == "-":
        return
    root = encoded(made.checkpoint.tree.root)
    answer = WitnessListAnswer(list=str(output), day=made.day, clubs=made.checkpoint.tree.size, root=root)
    state.print(answer, list_text(output, made, state.lang))


def _recover(state: CliState, opened: WitnessFolder, words: Sequence[str], options: dict[str, Any]) -> None:
    done = opened.recover([Path(word) for word in words])
    answer = WitnessRecoverAnswer(added=done.added, unknown=list(done.unknown))
    state.print(answer, recovered_text(done, state.lang))


def _serve(state: CliState, opened: WitnessFolder, words: Sequence[str], options: dict[str, Any]) -> None:
    for name in ("uvicorn", "starlette"):
        module_of_extra("serve", name)
    from ledger.web.server.sockets import listening_at, url_here
    from ledger.web.witness_app import serve_witness

    opened.statuses()  # report a damaged store now, not to the first club
    with closing(
        listening_at(options.get("host", "127.0.0.1"), options.get("port", USUAL_PORT), None, None)
    ) as sockets:

        def announce() -> None:
            say(label(state.lang, "witness.served", witness=opened.witness.label, url=url_here(sockets)))
            say(label(state.lang, "serve.end"))
            sys.stdout.flush()

        serve_witness(opened, sockets, announce)


_ACTIONS: Final[Mapping[str, Callable[[CliState, WitnessFolder, Sequence[str], dict[str, Any]], None]]] = {
    "add": _add_club,
    "clubs": _clubs,
    "cosign": _cosign,
    "list": _list,
    "recover": _recover,
    "serve": _serve,
}


def _overwrites(options: Mapping[str, Any]) -> bool:
    return "overwrite" in options


def _write(output: Path, content: bytes, options: Mapping[str, Any]) -> None:
    with output_file(str(output), overwrite=_overwrites(options)) as file:
        file.write(content)


def _check_words(action: str, words: Sequence[str], options: Mapping[str, Any]) -> None:
    for name in options:
        if name not in _TAKEN[action]:
            raise wrong_use("fields_of", option=f"--{name}", action=action)
    name, most = _WORDS[action]
    if name and not words:
        raise wrong_use("missing", where=name)
    if len(words) > most:
        raise wrong_use("too_many", text=" ".join(words[most:]))
