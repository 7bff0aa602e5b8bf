"""The options of a Couillon table (COU-9.1 to 9.4), and the forms of the game among which they choose (COU-2.1)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import Meta, Struct, field

from ledger.games.couillon.pack import FORMS, SIX32_UPCARD, CouillonForm, Procedure, Scoring
from ledger.games.kernel.refusals import bad_option, options_from, wrong_number_of_players
from ledger.i18n import one_of, phrases
from ledger.limits import OPTION_NUMBER

phrase: Final = phrases("ledger.games.couillon")
"""Sentences of this game's errors, by key in `messages/`."""

FormName: TypeAlias = Literal["basic4", "mit4", "six24", "six32", "eight32"]


_SEATING: Final[dict[str, str]] = {"basic4": "draw", "mit4": "jacks"}


class CouillonOptions(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True, dict=True):
    """The options as recorded; null: the default of the form."""

    form_name: FormName = field(default="basic4", name="form")
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
    def form(self) -> CouillonForm:
        """The form that is played."""
        if self.form_name == "six32" and self.six32_procedure == "upcard":
            return SIX32_UPCARD
        return FORMS[self.form_name]

    @cached_property
    def is_on_points(self) -> bool:
        """Whether the table scores in game points, not in bars."""
        return (self.scoring or self.form.scorings[0]) == "points"

    @cached_property
    def has_mit(self) -> bool:
        """Whether Mit', Kontra and Re exist (COU-2.2)."""
        return self.is_on_points if self.mit_card is None else self.mit_card

    @cached_property
    def last_deal(self) -> int | None:
        """The number of scored deals after which the match ends at the latest (COU-8.7)."""
        return self.deal_limit if isinstance(self.deal_limit, int) else None

    @cached_property
    def seating(self) -> str:
        """The way in which teams and first dealer were chosen (COU-9.4)."""
        return self.seating_method or _SEATING.get(self.form_name, "agreed")


def make_options(raw: Mapping[str, Any], players: int) -> CouillonOptions:
    """Return the options of a table. Raise `MalformedError` for a combination that is not valid (COU-9.1)."""
    options = options_from(raw, CouillonOptions)
    form = options.form
    if players != form.players:
        names = phrase("refusal.names", count=form.players, form=options.form_name, rule="COU-2.1")
        raise wrong_number_of_players(players, names)
    if options.scoring is not None and options.scoring not in form.scorings:
        known = one_of(form.scorings)
        expected = phrase("refusal.scoring", scorings=known, form=options.form_name, rule="COU-2.1")
        raise bad_option("scoring", expected, options.scoring)
    if options.mit_card and not options.is_on_points:
        expected = phrase("refusal.mit_on_bars", value="false", rule="COU-2.3")
        raise bad_option("mit_card", expected, True)
    return options
