"""Every module that declares routes; whoever serves loads this."""

from ledger.web import (
    cases,
    deals,
    exporting,
    history,
    openapi,
    people,
    pictures,
    proofs,
    root,
    rules,
    signing_in,
    streams,
    tables,
    tokens,
    writing,
)

__all__ = [
    "cases", "deals", "exporting", "history", "openapi", "people", "pictures", "proofs", "root", "rules", "signing_in",
    "streams", "tables", "tokens", "writing",
]  # fmt: skip
