"""Trick Ledger: the record of a card club as an append-only log, replayed, scored and audited by numbered rules."""
