"""Every module that declares routes; whoever serves loads this."""

from ledger.web import openapi, proofs, root, signing_in, tables, tokens, writing

__all__ = ["openapi", "proofs", "root", "signing_in", "tables", "tokens", "writing"]
