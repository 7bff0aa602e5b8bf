"""Splits what somebody types into questions at each `;`, as DuckDB reads it: not at one in quotes or in a comment."""

from __future__ import annotations

import duckdb


def questions(text: str) -> tuple[list[str], str]:
    """The questions in a text that have an end, without it, and what comes after the last end."""
    typed = text.encode()
    found, start = [], 0
    for offset, kind in duckdb.tokenize(text):
        if kind == duckdb.token_type.operator and typed[offset : offset + 1] == b";":
            found.append(typed[start:offset].decode().strip())
            start = offset + 1
    return list(filter(is_begun, found)), typed[start:].decode()


def is_begun(text: str) -> bool:
    """Whether there is more than blanks and comments."""
    return any(kind != duckdb.token_type.comment for _, kind in duckdb.tokenize(text))
