"""The command `copy`."""

from __future__ import annotations

import os
import sys
from typing import Final

import click
from msgspec import UNSET

from ledger import api
from ledger.cli.errors import wrong_use
from ledger.cli.output import print_json, say
from ledger.cli.progress import progress_bar
from ledger.cli.state import CliState, command
from ledger.log.answers import CopyAnswer, CopyLine
from ledger.text.catalogue import label
from ledger.text.files import copied_text, follow_text, stopped_text

TOKEN: Final = "TRICKLEDGER_TOKEN"
"""The environment variable with the token for a service; in an address it would be shown to other users."""


@command()
@click.argument("from", type=click.Path())
@click.argument("to", type=click.Path())
@click.option("--follow", is_flag=True, help="Keep copying what is recorded, until Ctrl-C.")
@click.option("--handles", is_flag=True, help="Make another ledger with handles in place of names.")
def copy(state: CliState, /, follow: bool, handles: bool, **addresses: str) -> None:
    """Copy the ledger FROM to TO, entry by entry, or continue an earlier copy; --follow keeps it up to date.

    FROM is a ledger, or the address of a running service. A service needs a token with the role director and the right
    to see hands, bound to no table, in the environment variable TRICKLEDGER_TOKEN. Others may write to FROM meanwhile.
    The copy has the same ids, positions and digests; every digest is computed again.

    An interrupted copy is a valid shorter ledger, and the next run continues it. If TO is not a beginning of FROM,
    nothing is copied. A copy from a service has no display names, links or hidden players, and a ledger id of its own.

    --follow reads once a second, so only the entries of the last second can be lost with FROM. Once somebody records in
    TO, nothing may be recorded in FROM.

    --handles makes another ledger with an id and digests of its own: in the new ledger TO, names are display names,
    which can be erased (`init --handles`). Only FROM still proves the old digests. It is not continued by another run.

    \b
    Example:
      trickledger copy club.ledger /media/stick/copy.ledger
      trickledger copy http://laptop-1.local:8750 copy.ledger --follow
    """
    source, target = addresses["from"], addresses["to"]
    token = os.environ.get(TOKEN) or None
    if follow and handles:
        raise wrong_use("handles_follow")
    if follow:
        _follow(state, source, target, token)
        return
    with progress_bar(state.lang) as report:
        copied = api.copy(
            source, target, token=token, progress=lambda done, total: report("copying", done, total), handles=handles
        )
    answer = CopyAnswer(
        source=source,
        target=target,
        entries=copied.head.position,
        digest=copied.head.digest.hex(),
        added=copied.added,
        with_people=copied.with_people,
    )
    lines = [*copied_text(source, target, copied, state.lang)]
    state.print(answer, [*lines, label(state.lang, "file.with_handles")] if handles else lines)


def _follow(state: CliState, source: str, target: str, token: str | None) -> None:
    """Print each change of state until Ctrl-C, which is the normal end."""
    is_begun = False

    def report(now: api.FollowState) -> None:
        nonlocal is_begun
        if state.is_json:
            print_json(_line(now, state.lang))
        else:
            say(follow_text(now, source, state.lang))
            if not is_begun and not now.with_people and now.kind == "level":
                say(label(state.lang, "file.no_people"))
        sys.stdout.flush()
        is_begun = is_begun or now.kind == "level"

    try:
        api.copy(source, target, token=token, follow=report)
    except KeyboardInterrupt:
        if not is_begun:
            raise
    with api.open(target, access="allowed") as store:
        head = store.head()
    answer = CopyLine(state="stopped", entries=head.position, digest=head.digest.hex())
    state.print(answer, [stopped_text(head, state.lang)])


def _line(now: api.FollowState, lang: str) -> CopyLine:
    missing = UNSET if now.kind == "interrupted" else now.missing
    error = UNSET if now.why is None else now.why.answer(lang).error
    return CopyLine(
        state=now.kind, entries=now.head.position, digest=now.head.digest.hex(), missing=missing, error=error
    )
