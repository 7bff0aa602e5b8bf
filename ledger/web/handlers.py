"""Every module that declares routes; whoever serves loads this."""

from ledger.web import live, openapi, proofs, root, signing_in, tables, tokens, writing

__all__ = ["live", "openapi", "proofs", "root", "signing_in", "tables", "tokens", "writing"]
