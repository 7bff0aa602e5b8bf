"""The command `rebuild`: the whole ledger folded anew, as a snapshot in a lake."""

from __future__ import annotations

from typing import Literal

import click

from ledger import api
from ledger.cli.errors import wrong_use
from ledger.cli.numbers import WholeNumber
from ledger.cli.output import show
from ledger.cli.progress import progress_bar
from ledger.cli.state import CliState, command
from ledger.cli.table_options import check_slug
from ledger.text.files import lake_text


@command(has_format=False)
@click.option(
    "--to",
    "lake",
    required=True,
    metavar="FOLDER",
    help="The folder of the lake or its address, e.g. s3://BUCKET/LAKE (extra `s3`); it may have others already.",
)
@click.option(
    "--partitions",
    type=WholeNumber(1, 10_000),
    default=8,
    show_default=True,
    metavar="N",
    help="The number of parts, each folded by one process at a time.",
)
@click.option(
    "--engine",
    type=click.Choice(["processes", "dask"]),
    default="processes",
    show_default=True,
    help="What folds the parts: processes of this machine, or Dask (extra `dask`).",
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="With --engine dask: the scheduler, e.g. tcp://host:8786; default: one on this machine.",
)
@click.option(
    "--send-entries",
    is_flag=True,
    help="Give the workers the entries through the lake, because they cannot open the ledger.",
)
@click.option(
    "--club", metavar="NAME", help="The name of the club in a lake of several; default: the id of the ledger."
)
def rebuild(
    state: CliState,
    lake: str,
    partitions: int,
    engine: Literal["processes", "dask"],
    scheduler: str | None,
    send_entries: bool,
    club: str | None,
) -> None:
    """Fold the whole ledger anew and write its tables as Parquet files, the newest snapshot of a lake.

    `stats`, `plot`, `query` and `report` read it with --lake FOLDER and give the same answers as the ledger. Anyone who
    can read the lake can read the whole ledger up to then: names, hidden hands and deals that are still being played.

    \b
    trickledger rebuild --to lake
    trickledger stats standings --lake lake
    """
    from ledger.history import usable_cores

    if club is not None:
        check_slug("--club", club)
    if scheduler is not None and engine != "dask":
        raise wrong_use("scheduler_of_dask")
    with progress_bar(state.lang) as report:
        manifest = api.rebuild(
            state.ledger,
            lake,
            partitions=partitions,
            engine=engine,
            scheduler=scheduler,
            send_entries=send_entries,
            club=club,
            workers=usable_cores(),
            progress=lambda done, total: report("folding", done, total),
            tz=state.tz,
        )
    show(lake_text(lake, manifest, state.lang))
