"""Checks of values against the published schemas."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from jsonschema_rs import Draft202012Validator, ValidationError, meta

from tools.schemas import FOLDER

ROOT = Path(__file__).parent.parent.parent
ID = "01934f2a-5c1e-7d3b-8a4f-2b6c9d0e1f23"


@cache
def schema_of(name: str) -> Any:
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


@cache
def validator(name: str) -> Draft202012Validator:
    meta.validate(schema_of(name))
    return Draft202012Validator(schema_of(name), validate_formats=True)


def fault_text(fault: ValidationError) -> str:
    """Return the place of the fault in the value, and its message."""
    return f"{'/'.join(map(str, fault.instance_path))}: {fault.message[:300]}"


def fits(name: str, value: Any) -> bool:
    return validator(name).is_valid(value)


def assert_fits(name: str, value: Any) -> None:
    """Assert that the value fits the schema; otherwise show the faulty places."""
    faults = [fault_text(fault) for fault in validator(name).iter_errors(value)]
    assert not faults, f"{name}: {faults[:3]}"


def plain(answer: Any) -> Any:
    """Return the answer as another program receives it."""
    return json.loads(msgspec.json.encode(answer))
