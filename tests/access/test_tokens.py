"""Tokens: secrets of 256 random bits whose format separates typing errors from guesses, and their rights."""

import re
import string
from secrets import token_bytes
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.access.grants import ROLES, Grant
from ledger.access.tokens import (
    csrf_of,
    digest_of,
    is_code,
    is_same,
    is_session_secret,
    is_token,
    new_code,
    new_session_secret,
    new_token,
)

DIGITS = string.digits + string.ascii_uppercase + string.ascii_lowercase
some = settings(max_examples=max(1, settings().max_examples // 4))
BITS = st.binary(min_size=32, max_size=32)


def number_of(digits: str) -> int:
    return sum(DIGITS.index(digit) * 62**place for place, digit in enumerate(reversed(digits)))


@some
@given(BITS)
def test_the_digits_of_a_secret_are_all_its_bits(bits: bytes) -> None:
    assert number_of(new_session_secret(lambda count: bits[:count])) == int.from_bytes(bits)


@some
@given(BITS)
def test_a_token_has_the_form_of_the_contract(bits: bytes) -> None:
    token = new_token(lambda count: bits[:count])
    match = re.fullmatch(r"trk_([0-9A-Za-z]{43})_([0-9a-f]{8})", token)
    assert match is not None
    assert int(match[2], 16) == crc32(match[1].encode())
    assert is_token(token)


@some
@given(BITS, BITS)
def test_other_bits_make_another_secret(one: bytes, other: bytes) -> None:
    for make in (new_token, new_session_secret):
        made = [make(lambda count, bits=bits: bits[:count]) for bits in (one, other)]
        assert (made[0] == made[1]) == (one == other)


def test_all_256_bits_are_drawn() -> None:
    counts: list[int] = []

    def counted(count: int) -> bytes:
        counts.append(count)
        return bytes(count)

    new_token(counted)
    new_session_secret(counted)
    assert counts == [32, 32]


@some
@given(BITS, st.integers(4, 46), st.sampled_from("0aZz"))
def test_a_token_with_one_letter_changed_is_none(bits: bytes, place: int, sign: str) -> None:
    token = new_token(lambda count: bits[:count])
    changed = token[:place] + sign + token[place + 1 :]
    assert is_token(changed) == (changed == token)


@pytest.mark.parametrize("change", [str.upper, str.strip, lambda text: text + "\n", lambda text: "x" + text])
def test_nothing_but_a_token_is_one(change: object) -> None:
    token = new_token(token_bytes)
    assert callable(change)
    assert is_token(change(token)) == (change(token) == token)


def test_codes_have_eight_digits_and_zeros_in_front() -> None:
    assert new_code(bytes) == "00000000"
    assert new_code((10**8 + 42).to_bytes) == "00000042"
    assert all(is_code(new_code(token_bytes)) for _ in range(100))


@pytest.mark.parametrize("text", ["1234567", "123456789", "1234567\n", "٠١٢٣٤٥٦٧", "+1234567", ""])
def test_other_texts_are_no_codes(text: str) -> None:
    assert not is_code(text)


def test_a_session_secret_is_distinguished_from_a_token() -> None:
    secret, token = new_session_secret(token_bytes), new_token(token_bytes)
    assert is_session_secret(secret) and not is_session_secret(token)
    assert not is_token(secret)


def test_the_csrf_token_reveals_neither_the_secret_nor_its_digest() -> None:
    secret = new_session_secret(token_bytes)
    assert csrf_of(secret) == csrf_of(secret) != secret
    assert secret not in csrf_of(secret)
    assert number_of(csrf_of(secret)) != int.from_bytes(digest_of(secret))
    assert csrf_of(secret) != csrf_of(new_session_secret(token_bytes))


def test_secrets_are_compared_whatever_they_are_made_of() -> None:
    assert is_same("a", "a")
    assert not is_same("a", "b")
    assert not is_same("é", "a")
    assert not is_same("\ud800", "a")


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
