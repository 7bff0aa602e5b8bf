"""Every module that declares routes; whoever serves loads this."""

from ledger.web import (  # noqa: F401 - loading them is all that is wanted
    cases,
    correcting,
    deals,
    exporting,
    history,
    importing,
    live,
    naming,
    openapi,
    people,
    pictures,
    problem_pages,
    proofs,
    root,
    rules,
    signing_in,
    streams,
    tables,
    tokens,
    writing,
)
