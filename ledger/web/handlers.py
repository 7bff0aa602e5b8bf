"""Every module that declares routes; whoever serves loads this."""

from ledger.web import history, live, openapi, people, proofs, root, signing_in, tables, tokens, writing

__all__ = ["history", "live", "openapi", "people", "proofs", "root", "signing_in", "tables", "tokens", "writing"]
