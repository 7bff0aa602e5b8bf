"""Every module that declares routes; whoever serves loads this."""

from ledger.web import root, tables, writing

__all__ = ["root", "tables", "writing"]
