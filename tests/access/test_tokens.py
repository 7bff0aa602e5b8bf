"""Secrets, codes and rights of tokens, the limiter of guesses, and the clock of tokens and sessions."""

import re
import string
from datetime import timedelta
from secrets import token_bytes
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.access import tokens
from ledger.access.grants import ROLES, Grant
from ledger.access.limiter import WINDOW_S, Limiter, peer_of, sign_in_limiter, wrong_code_limiter
from ledger.access.monotonic_clock import MonotonicClock
from tests.contracts.access_store import EVENING, HandClock

DIGITS = string.digits + string.ascii_uppercase + string.ascii_lowercase
some = settings(max_examples=max(1, settings().max_examples // 4))
BITS = st.binary(min_size=32, max_size=32)


def number_of(digits: str) -> int:
    return sum(DIGITS.index(digit) * 62**place for place, digit in enumerate(reversed(digits)))


@some
@given(BITS)
def test_the_digits_of_a_secret_are_all_its_bits(bits: bytes) -> None:
    assert number_of(tokens.new_session_secret(lambda count: bits[:count])) == int.from_bytes(bits)


@some
@given(BITS)
def test_a_token_has_the_form_of_the_contract(bits: bytes) -> None:
    token = tokens.new_token(lambda count: bits[:count])
    match = re.fullmatch(r"trk_([0-9A-Za-z]{43})_([0-9a-f]{8})", token)
    assert match is not None
    assert number_of(match[1]) == int.from_bytes(bits)
    assert int(match[2], 16) == crc32(match[1].encode())
    assert tokens.is_token(token)


@some
@given(BITS, st.integers(4, 46), st.sampled_from("0aZz"))
def test_a_token_with_one_letter_changed_is_none(bits: bytes, place: int, sign: str) -> None:
    token = tokens.new_token(lambda count: bits[:count])
    changed = token[:place] + sign + token[place + 1 :]
    assert tokens.is_token(changed) == (changed == token)


@pytest.mark.parametrize("change", [str.upper, str.strip, lambda text: text + "\n", lambda text: "x" + text])
def test_nothing_but_a_token_is_one(change: object) -> None:
    token = tokens.new_token(token_bytes)
    assert callable(change)
    assert tokens.is_token(change(token)) == (change(token) == token)


def test_codes_have_eight_digits_and_zeros_in_front() -> None:
    assert tokens.new_code(bytes) == "00000000"
    assert tokens.new_code((10**8 + 42).to_bytes) == "00000042"
    assert all(tokens.is_code(tokens.new_code(token_bytes)) for _ in range(100))


@pytest.mark.parametrize("text", ["1234567", "123456789", "1234567\n", "٠١٢٣٤٥٦٧", "+1234567", ""])
def test_other_texts_are_no_codes(text: str) -> None:
    assert not tokens.is_code(text)


def test_a_session_secret_is_distinguished_from_a_token() -> None:
    secret, token = tokens.new_session_secret(token_bytes), tokens.new_token(token_bytes)
    assert tokens.is_session_secret(secret) and not tokens.is_session_secret(token)
    assert not tokens.is_token(secret)


def test_the_csrf_token_reveals_neither_the_secret_nor_its_digest() -> None:
    secret = tokens.new_session_secret(token_bytes)
    assert tokens.csrf_of(secret) == tokens.csrf_of(secret) != secret
    assert secret not in tokens.csrf_of(secret)
    assert number_of(tokens.csrf_of(secret)) != int.from_bytes(tokens.digest_of(secret))
    assert tokens.csrf_of(secret) != tokens.csrf_of(tokens.new_session_secret(token_bytes))


def test_secrets_are_compared_whatever_they_are_made_of() -> None:
    assert tokens.is_same("a", "a")
    assert not tokens.is_same("a", "b")
    assert not tokens.is_same("é", "a")
    assert not tokens.is_same("\ud800", "a")


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


def remembered(limiter: Limiter) -> int:
    return sum(map(len, limiter._by_peer.values())) + len(limiter._all)


def allowed(limiter: Limiter, peer: str, times: int, now_s: float = 0.0) -> int:
    return sum(limiter.attempt(peer, now_s) == 0 for _ in range(times))


def test_a_peer_may_sign_in_ten_times_a_minute() -> None:
    limiter = sign_in_limiter()
    assert [allowed(limiter, "a", 50), allowed(limiter, "b", 50)] == [10, 10]
    assert allowed(limiter, "a", 50, 59.9) == 0
    assert allowed(limiter, "a", 50, 60.0) == 10


def test_wrong_codes_are_ten_a_peer_and_a_hundred_in_all() -> None:
    limiter = wrong_code_limiter()
    assert sum(allowed(limiter, f"peer {number}", 50) for number in range(50)) == 100
    assert limiter.attempt("another", 30.0) == 30.0


def test_a_limited_peer_gets_the_seconds_to_wait() -> None:
    limiter = Limiter(a_peer=2)
    assert [limiter.attempt("a", moment) for moment in (0.0, 10.0, 20.0)] == [0.0, 0.0, 40.0]
    assert limiter.attempt("a", 60.0) == 0.0
    assert limiter.attempt("a", 60.0) == 10.0


def test_a_right_code_is_taken_back_for_the_peer_and_for_all() -> None:
    limiter = wrong_code_limiter()
    for number in range(1_000):
        assert limiter.attempt("phone", float(number) / 100) == 0
        limiter.take_back("phone", float(number) / 100)
    assert remembered(limiter) == 0


def test_what_was_never_counted_is_not_taken_back() -> None:
    limiter = wrong_code_limiter()
    assert allowed(limiter, "a", 10) == 10
    limiter.take_back("b", 0.5)
    limiter.take_back("a", 0.5)
    assert allowed(limiter, "a", 1) == 0


@pytest.mark.parametrize("limiter", [sign_in_limiter(), wrong_code_limiter()])
def test_memory_is_bounded_whatever_number_of_peers(limiter: Limiter) -> None:
    for number in range(12_000):
        limiter.attempt(f"peer {number}", number / 1_000)
    assert remembered(limiter) <= 10_000


def test_who_has_not_tried_for_the_longest_is_forgotten_first() -> None:
    limiter = Limiter(a_peer=1, peers_max=2)
    for peer in ("a", "b", "c"):
        limiter.attempt(peer, 0.0)
    assert [allowed(limiter, peer, 1) for peer in ("c", "b", "a")] == [0, 0, 1]


@settings(max_examples=max(1, settings().max_examples // 3))
@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 160)), max_size=60))
def test_it_allows_what_a_list_of_all_attempts_would(steps: list[tuple[str, int]]) -> None:
    """The minute slides, and refused attempts do not prolong the wait."""
    limiter = Limiter(a_peer=3, in_all=5)
    taken: list[tuple[str, float]] = []
    now_s = 0.0
    for peer, quarters in steps:
        now_s += quarters / 4
        recent = [one for one, moment in taken if moment > now_s - WINDOW_S]
        may = recent.count(peer) < 3 and len(recent) < 5
        wait_s = limiter.attempt(peer, now_s)
        assert (wait_s == 0) == may
        assert 0 <= wait_s <= WINDOW_S
        if may:
            taken.append((peer, now_s))


@pytest.mark.parametrize(("address", "peer"), [
    ("192.0.2.7", "192.0.2.7"),
    ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
    ("2001:db8:1:2::", "2001:db8:1:2::/64"),
    ("fe80::1%eth0", "fe80::/64"),
    ("::ffff:192.0.2.7", "192.0.2.7"),
    ("a socket", "a socket"),
])  # fmt: skip
def test_a_household_is_one_peer(address: str, peer: str) -> None:
    assert peer_of(address) == peer


@settings(max_examples=max(1, settings().max_examples // 3))
@given(st.lists(st.tuples(st.floats(-1e6, 1e6), st.floats(0, 1e5)), max_size=20))
def test_it_never_goes_back_and_never_slower_than_time(turns: list[tuple[float, float]]) -> None:
    """Between two calls the clock is turned by some seconds, and some seconds pass."""
    hand = HandClock()
    steady = MonotonicClock(hand, hand.elapsed_s)
    moment = steady.now()
    for turned_s, passed_s in turns:
        hand.moment += timedelta(seconds=turned_s)
        hand.let_pass(seconds=passed_s)
        now = steady.now()
        assert now - moment >= timedelta(seconds=passed_s) - timedelta(milliseconds=1)
        assert now >= hand.moment
        moment = now


def test_it_goes_on_from_what_another_process_has_seen() -> None:
    hand = HandClock()
    steady = MonotonicClock(hand, hand.elapsed_s)
    later = EVENING + timedelta(hours=2)
    assert steady.now(later) == later
    hand.let_pass(minutes=5)
    assert steady.now() == later + timedelta(minutes=5)
