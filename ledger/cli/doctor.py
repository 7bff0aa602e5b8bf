"""The command `doctor`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ledger import api
from ledger.addresses import USUAL_PORT
from ledger.cli.numbers import WholeNumber
from ledger.cli.output import A_FILE
from ledger.cli.progress import progress_if_slow
from ledger.cli.state import CliState, command
from ledger.text.catalogue import label
from ledger.text.doctor import doctor_answer, doctor_text


@command()
@click.option(
    "--backups",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder with the backups; default: that of the ledger.",
)
@click.option(
    "--port",
    type=WholeNumber(0, 65_535),
    default=USUAL_PORT,
    show_default=True,
    help="The port that `serve` will listen at.",
)
@click.option("--tls-cert", type=A_FILE, help="The certificate that `serve` will use for https (PEM).")
def doctor(state: CliState, backups: Path | None, port: int, tls_cert: Path | None) -> None:
    """Check the program, this machine and the ledger before an evening, and name the next step for each problem.

    Each check is ok, a note or a fault. The exit status is 1 if there is a fault. Nothing is changed.

    \b
    Example:
      trickledger doctor
      trickledger doctor --backups /media/stick --tls-cert club.crt
    """
    with progress_if_slow(label(state.lang, "progress.verifying")) as report:
        diagnosis = api.doctor(
            state.ledger, backups=backups, port=port, tls_cert=tls_cert, tz=state.tz, progress=report
        )
    state.print(doctor_answer(diagnosis, state.lang), doctor_text(diagnosis, state.lang))
    if not diagnosis.is_healthy:
        sys.exit(1)
