"""The options of a Whist table (WHI-9.1), with the rulebook's default."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct


class WhistOptions(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    game_points: Annotated[int, Meta(ge=1, le=1000)] = 5  # WHI-9.1
