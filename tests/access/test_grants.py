"""A grant: what whoever asks may do."""

from __future__ import annotations

import pytest

from ledger.access.grants import ROLES, Grant


@pytest.mark.parametrize("place", range(len(ROLES)))
def test_each_role_may_what_those_before_it_may_and_no_more(place: int) -> None:
    grant = Grant(token="t", role=ROLES[place])
    assert [grant.at_least(role) for role in ROLES] == [other <= place for other in range(len(ROLES))]


def test_the_roles_are_those_of_the_contract_in_their_order() -> None:
    assert ROLES == ("viewer", "recorder", "director", "admin")


def test_who_is_bound_to_tables_sees_those_alone() -> None:
    bound = Grant(token="t", role="viewer", tables=("a", "b"))
    assert [bound.sees(table) for table in ("a", "b", "c", "")] == [True, True, False, False]
    assert Grant(token="t", role="viewer").sees("c")
    assert not Grant(token="t", role="viewer", tables=()).sees("a")


def test_who_records_is_the_token_and_the_name_typed_at_sign_in() -> None:
    assert Grant(token="table-3", role="recorder").recorded_by == "table-3"
    assert Grant(token="table-3", role="recorder", name="Zoë").recorded_by == "table-3/Zoë"
