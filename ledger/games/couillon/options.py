"""The options of a Couillon table (COU-9.1 to 9.4), and the forms of the game that they choose among (COU-2.1)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias

from msgspec import Meta, Struct

from ledger.errors import MalformedError
from ledger.games.couillon.pack import PACK_24, PACK_32
from ledger.limits import OPTION_NUMBER
from ledger.validation import converted

FormName: TypeAlias = Literal["basic4", "mit4", "six24", "six32", "eight32"]
Procedure: TypeAlias = Literal["upcard", "naming"]
Scoring: TypeAlias = Literal["bars", "points"]


class Form(NamedTuple):
    """One form of the game. Packets: `first` cards each, `aside` cards set aside, `second` cards each; a rest is left.

    `order_rule`: where its packets are laid down; `turned_rule`: which card is turned up first; `points_min`: what the
    cards in play are worth at least (COU-7.43).
    """

    players: int
    pack: int
    first: int
    second: int
    aside: int
    procedure: Procedure
    scorings: tuple[Scoring, ...]
    order_rule: str
    turned_rule: str
    points_min: int

    @property
    def hand(self) -> int:
        """k: the cards of a hand, which is also the number of tricks."""
        return self.first + self.second

    @property
    def pack_rule(self) -> str:
        """Which cards make the pack."""
        return "COU-2.11" if self.pack == PACK_24 else "COU-2.12"

    @property
    def stock(self) -> int:
        """How many cards nobody gets."""
        return self.pack.bit_count() - self.players * self.hand


_NAMED: Final[tuple[Scoring, ...]] = ("points", "bars")

# COU-2.1, 3.15 to 3.21; the scoring named first is the default
_FORMS: Final[dict[str, Form]] = {
    "basic4": Form(4, PACK_24, 2, 2, 0, "upcard", ("bars",), "COU-3.15", "COU-3.16", 12),
    "mit4": Form(4, PACK_24, 3, 2, 4, "naming", ("points",), "COU-3.17", "COU-4.14", 24),
    "six24": Form(6, PACK_24, 2, 2, 0, "naming", _NAMED, "COU-3.18", "COU-4.14", 40),
    "six32": Form(6, PACK_32, 3, 2, 2, "naming", _NAMED, "COU-3.19", "COU-4.14", 32),
    "eight32": Form(8, PACK_32, 2, 2, 0, "naming", _NAMED, "COU-3.21", "COU-4.14", 40),
}
_SIX32_UPCARD: Final = Form(6, PACK_32, 2, 2, 0, "upcard", ("bars",), "COU-3.20", "COU-3.20", 12)

_SEATING: Final[dict[str, str]] = {"basic4": "draw", "mit4": "jacks"}


class CouillonOptions(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True, dict=True):
    """The options as recorded; null: as the form says."""

    form: FormName = "basic4"
    six32_procedure: Procedure = "naming"
    scoring: Scoring | None = None
    mit_card: bool | None = None
    bars_per_team: Annotated[int, Meta(ge=1, le=21)] = 5
    draw_mark_accumulates: bool = False
    penalty_mark: Literal["circle", "extra_bar"] = "circle"
    tie_rule: Literal["draw", "makers_lose"] = "draw"
    start_points: Annotated[int, Meta(ge=1, le=99)] = 13
    dealer_win_penalty: Literal["always", "named_only", "off"] = "always"
    all_tricks_bonus: bool = True
    concession: Literal["none", "rest"] = "none"
    deal_limit: Annotated[int, Meta(ge=1, le=OPTION_NUMBER)] | Literal["none"] | None = None  # `none` may be spelt out
    seating_method: Literal["draw", "jacks", "agreed"] | None = None  # recorded only (COU-3.2 to 3.8)

    @cached_property
    def shape(self) -> Form:
        """The form that is played."""
        if self.form == "six32" and self.six32_procedure == "upcard":
            return _SIX32_UPCARD
        return _FORMS[self.form]

    @cached_property
    def is_on_points(self) -> bool:
        """Whether game points are kept, not bars."""
        return (self.scoring or self.shape.scorings[0]) == "points"

    @cached_property
    def has_mit(self) -> bool:
        """Whether Mit', Kontra and Re exist (COU-2.2)."""
        return self.is_on_points if self.mit_card is None else self.mit_card

    @cached_property
    def last_deal(self) -> int | None:
        """After how many scored deals the match ends at the latest (COU-8.7)."""
        return self.deal_limit if isinstance(self.deal_limit, int) else None

    @cached_property
    def seating(self) -> str:
        """How teams and first dealer were found (COU-9.4)."""
        return self.seating_method or _SEATING.get(self.form, "agreed")


def make_options(raw: Mapping[str, Any], players: int) -> CouillonOptions:
    """The options of a table; raises `MalformedError` for a set that is not valid (COU-9.1)."""
    options = converted(dict(raw), CouillonOptions, "options")
    shape = options.shape
    if players != shape.players:
        raise MalformedError(
            "wrong number of players", f"{shape.players} names ({options.form}, COU-2.1)", str(players)
        )
    if options.scoring is not None and options.scoring not in shape.scorings:
        expected = f"{' or '.join(shape.scorings)} with {options.form} (COU-2.1)"
        raise MalformedError("options.scoring", expected, options.scoring)
    if options.mit_card and not options.is_on_points:
        raise MalformedError("options.mit_card", "false where bars are kept (COU-2.3)", "true")
    return options
