"""Every module that declares routes; whoever serves loads this."""

from ledger.web import openapi, proofs, root, tables, writing

__all__ = ["openapi", "proofs", "root", "tables", "writing"]
