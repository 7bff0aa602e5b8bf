"""The command `serve`."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from msgspec import structs

from ledger import api
from ledger.addresses import USUAL_PORT
from ledger.cli.demo import DEMO_FOLDER, demo_ledger
from ledger.cli.errors import wrong_use
from ledger.cli.filters import season_start_option
from ledger.cli.language import phrase
from ledger.cli.numbers import WholeNumber
from ledger.cli.output import A_FILE, say
from ledger.cli.state import CliState, command
from ledger.errors import UnreadableError
from ledger.extras import module_of_extra
from ledger.names import readable_name
from ledger.text.catalogue import label
from ledger.text.lists import hidden_deals_text
from ledger.text.qr import qr_lines
from ledger.text.service import Start, start_text

if TYPE_CHECKING:
    from ledger.service.running import Settings
    from ledger.service.visibility import VisibleHead
    from ledger.web.server.sockets import Listening

_PORT: Final = WholeNumber(0, 65_535)


@command(has_format=False)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen at: 127.0.0.1 for this machine only, 0.0.0.0 for its network, :: for IPv6 as well.",
)
@click.option(
    "--port", type=_PORT, default=USUAL_PORT, show_default=True, help="The port to listen at; 0 takes any free one."
)
@click.option("--tls-cert", type=A_FILE, help="The certificate chain for https (PEM).")
@click.option("--tls-key", type=A_FILE, help="The key of the certificate (PEM, without a passphrase).")
@click.option("--proxy", is_flag=True, help="Trust a proxy on this machine to name the client.")
@click.option("--public", is_flag=True, help="Let everybody watch without a token.")
@click.option("--viewers-query", is_flag=True, help="Also let viewers query the history in SQL.")
@click.option("--read-only", is_flag=True, help="Accept no entries.")
@click.option("--no-loopback", is_flag=True, help="Require a token on this machine, too.")
@click.option("--metrics-port", type=_PORT, help="Serve metrics for Prometheus at 127.0.0.1 and this port.")
@click.option("--sign", "sign", type=A_FILE, metavar="KEY", help="The private key that signs checkpoints.")
@click.option("--club", metavar="NAME", help="The name above all pages; default: the name of the ledger's file.")
@click.option(
    "--demo", is_flag=True, help="Serve the demonstration's ledger in ./trickledger-demo; it is created if missing."
)
@click.option("--allow-host", multiple=True, metavar="NAME", help="Another host name of this service; repeatable.")
def serve(
    state: CliState,
    host: str,
    port: int,
    tls_cert: Path | None,
    tls_key: Path | None,
    proxy: bool,
    public: bool,
    viewers_query: bool,
    read_only: bool,
    no_loopback: bool,
    metrics_port: int | None,
    sign: Path | None,
    club: str | None,
    demo: bool,
    allow_host: tuple[str, ...],
) -> None:
    """Serve the ledger over HTTP: phones record, others follow, programs read and write; Ctrl-C stops it.

    If there is no ledger, a terminal asks whether to make one with handles, as `init --handles` does.

    On this machine nobody needs a token; from elsewhere everybody does. Each request is logged as a line of JSON on
    standard error.

    \b
    Example:
      trickledger serve --demo
      trickledger serve --host 0.0.0.0 --club "Thursday Card Club"
      trickledger serve --host 0.0.0.0 --tls-cert club.crt --tls-key club.pem --port 443
    """
    if (tls_cert is None) != (tls_key is None):
        raise wrong_use("tls_together")
    for name in ("uvicorn", "starlette"):
        module_of_extra("serve", name)
    from ledger.service.running import Settings
    from ledger.web.server.sockets import listening_at, own_names, tls_context
    from ledger.zones import UTC

    if sign is not None:
        api.read_secret_key(sign)
    settings = Settings(
        public=public,
        viewers_query=viewers_query,
        loopback=not no_loopback,
        proxy=proxy,
        read_only=read_only,
        is_https=tls_cert is not None,
        hosts=own_names(host, allow_host),
        secret_key=sign,
        club=_club(club),
        season_from=season_start_option(),
        zone=state.tz or UTC,
        is_demo=demo,
    )
    tls = None if tls_cert is None or tls_key is None else tls_context(tls_cert, tls_key)
    ledger = demo_ledger(DEMO_FOLDER, state.lang) if demo else state.ledger
    with closing(listening_at(host, port, metrics_port, tls)) as listening:
        try:
            _serve(state, ledger, settings, listening)
        except UnreadableError as error:
            if error.code != "no_ledger":
                raise
            if read_only or not state.confirms(phrase("make_ledger_to_serve", file=ledger)):
                raise UnreadableError("no_ledger", phrase("no_ledger_to_serve", file=ledger), **error.values) from None
            api.create(ledger, handles=True).close()
            _serve(state, ledger, settings, listening)


def _club(name: str | None) -> str:
    return "" if name is None else readable_name("--club", name.strip())


def _serve(state: CliState, ledger: str | Path, settings: Settings, listening: Listening) -> None:
    from ledger.web.app import serve_ledger
    from ledger.web.server.sockets import url_for_others, url_here

    phone = url_for_others(listening)

    def announce(visible: VisibleHead) -> None:
        start = Start(
            ledger=ledger,
            entries=visible.head.position,
            here=url_here(listening),
            phone=phone,
            metrics=next(
                (f"http://127.0.0.1:{one.getsockname()[1]}/metrics" for one in listening.metrics_sockets), None
            ),
            needs_no_token=settings.loopback and not settings.proxy,
            is_public=settings.public,
            is_read_only=settings.read_only,
            is_behind_proxy=settings.proxy,
            clock_ahead=api.token_clock_ahead(ledger),
        )
        for line in start_text(start, state.lang):
            say(line)
        with api.open(ledger, access="read") as store:
            waiting = list(api.hidden_deals(store, visible.hidden))
        if waiting:
            say(hidden_deals_text(waiting, state.lang))
        if phone is not None and not settings.proxy and sys.stdout.isatty():
            for line in qr_lines(phone):
                click.secho(line, fg="black", bg="white")
        say(label(state.lang, "serve.end"))
        sys.stdout.flush()

    serve_ledger(ledger, structs.replace(settings, reached_at=phone or ""), listening, announce=announce)
