"""Every module that declares routes; whoever serves loads this."""

from ledger.web import cases, deals, exporting, openapi, pictures, proofs, root, rules, streams, tables, writing

__all__ = [
    "cases", "deals", "exporting", "openapi", "pictures", "proofs", "root", "rules", "streams", "tables", "writing",
]  # fmt: skip
