"""Every module that declares routes; whoever serves loads this."""

from ledger.web import openapi, root, tables, writing

__all__ = ["openapi", "root", "tables", "writing"]
