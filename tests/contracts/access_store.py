"""What every access store must do, whatever it keeps its rows in: subclass it and say how a store is made."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import pytest

from ledger import limits
from ledger.access.base import AccessStore, Issued, NewCode, NewToken, OpenedSession, Session
from ledger.access.grants import Grant
from ledger.access.rules import SESSION_DAYS
from ledger.access.tokens import csrf_of, is_code, is_session_secret, is_token
from ledger.errors import ConflictError, MalformedError, NotFoundError

EVENING = datetime(2026, 1, 30, 19, 0, tzinfo=UTC)
TEN_O_CLOCK = "2026-01-30T22:00:00.000000Z"


class HandClock:
    """A clock that stands until somebody turns it, beside the time that really passes."""

    def __init__(self) -> None:
        self.moment = EVENING
        self.passed_s = 0.0

    def __call__(self) -> datetime:
        return self.moment

    def elapsed_s(self) -> float:
        return self.passed_s

    def let_pass(self, **time: float) -> None:
        self.moment += timedelta(**time)
        self.passed_s += timedelta(**time).total_seconds()

    def set_back(self, **time: float) -> None:
        self.moment -= timedelta(**time)


class CountedRandomness:
    """Bytes that are never the same twice, and the same in every run."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, count: int) -> bytes:
        self.asked += 1
        return sha256(str(self.asked).encode()).digest()[:count]


MakeAccess = Callable[[], AccessStore]


def moment(clock: HandClock, **later: float) -> str:
    return f"{(clock.moment + timedelta(**later)).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"


def signed_in(answer: object) -> OpenedSession:
    assert isinstance(answer, OpenedSession), answer
    return answer


class AccessStoreContract:
    """The contract. Each test makes an empty store of its own."""

    def new_access(self, folder: Path, clock: HandClock) -> AccessStore:
        """The store in this folder, or anywhere else: made anew, and where it can be found again, opened again."""
        raise NotImplementedError

    @pytest.fixture
    def clock(self) -> HandClock:
        return HandClock()

    @pytest.fixture
    def access(self, tmp_path: Path, clock: HandClock) -> AccessStore:
        return self.new_access(tmp_path, clock)


class TokenContract(AccessStoreContract):
    """Giving out, presenting and revoking."""

    def test_a_new_store_knows_nobody(self, access: AccessStore) -> None:
        assert access.tokens() == []
        assert access.grant_of("trk_" + "0" * 43 + "_00000000") == "unknown"

    def test_a_token_grants_what_it_was_given_out_for(self, access: AccessStore) -> None:
        new = NewToken(id="table-3", role="recorder", tables=("ombre-1",), may_open=True, seat=2, hands=True)
        secret = access.add_token(new).secret
        assert is_token(secret)
        assert access.grant_of(secret) == Grant(
            token="table-3", role="recorder", tables=("ombre-1",), may_open=True, seat=2, hands=True
        )

    def test_what_is_known_of_a_token_is_everything_but_its_secret(self, access: AccessStore, clock: HandClock) -> None:
        issued = access.add_token(NewToken(id="ann", role="director", expires_at=TEN_O_CLOCK))
        (facts,) = access.tokens()
        assert facts == issued.token
        assert (facts.id, facts.kind, facts.created_at, facts.expires_at) == (
            "ann",
            "token",
            moment(clock),
            TEN_O_CLOCK,
        )
        assert (facts.revoked_at, facts.last_used_on) == (None, None)
        assert issued.secret.split("_")[1] not in str(facts)

    def test_every_token_has_another_secret(self, access: AccessStore) -> None:
        assert len({access.add_token(NewToken(id=f"t-{n}", role="viewer")).secret for n in range(20)}) == 20

    @pytest.mark.parametrize("text", ["", "trk_", "x" * 10_000, "trk_é", "\0", "12345678", "trk_\ud800"])
    def test_any_text_may_be_presented(self, access: AccessStore, text: str) -> None:
        access.add_token(NewToken(id="ann", role="viewer"))
        assert access.grant_of(text) == access.session_of(text) == access.redeem(text, None) == "unknown"
        access.close_session(text)

    def test_a_secret_with_another_letter_is_unknown(self, access: AccessStore) -> None:
        secret = access.add_token(NewToken(id="ann", role="viewer")).secret
        assert access.grant_of(secret[:10] + ("x" if secret[10] != "x" else "y") + secret[11:]) == "unknown"
        assert access.grant_of(secret.upper()) == "unknown"

    def test_a_revoked_token_opens_nothing_and_keeps_the_moment_of_its_end(
        self, access: AccessStore, clock: HandClock
    ) -> None:
        secret = access.add_token(NewToken(id="ann", role="viewer")).secret
        revoked = access.revoke("ann")
        assert revoked.revoked_at == moment(clock)
        assert access.grant_of(secret) == "revoked"
        clock.let_pass(hours=1)
        assert access.revoke("ann") == revoked
        assert access.tokens() == [revoked]

    def test_an_id_is_never_used_twice(self, access: AccessStore) -> None:
        access.add_token(NewToken(id="ann", role="viewer"))
        access.revoke("ann")
        with pytest.raises(ConflictError, match="there is or was a token ann") as refused:
            access.add_token(NewToken(id="ann", role="admin"))
        assert refused.value.code == "exists"
        assert len(access.tokens()) == 1

    def test_who_revokes_what_there_is_not_is_told_what_may_be_meant(self, access: AccessStore) -> None:
        access.add_token(NewToken(id="table-3", role="viewer"))
        with pytest.raises(NotFoundError, match="there is no token table-4; perhaps table-3") as refused:
            access.revoke("table-4")
        assert refused.value.values["known"] == ("table-3",)

    def test_a_token_opens_nothing_from_its_end_on(self, access: AccessStore, clock: HandClock) -> None:
        secret = access.add_token(NewToken(id="ann", role="viewer", expires_at=moment(clock, hours=1))).secret
        clock.let_pass(minutes=59, seconds=59)
        assert isinstance(access.grant_of(secret), Grant)
        clock.let_pass(seconds=1)
        assert access.grant_of(secret) == "expired"

    def test_what_was_revoked_is_revoked_also_after_its_end(self, access: AccessStore, clock: HandClock) -> None:
        secret = access.add_token(NewToken(id="ann", role="viewer", expires_at=moment(clock, hours=1))).secret
        access.revoke("ann")
        clock.let_pass(hours=2)
        assert access.grant_of(secret) == "revoked"

    @pytest.mark.parametrize(
        ("new", "field"),
        [
            (NewToken(id="Ann Lee", role="viewer"), "id"),
            (NewToken(id="", role="viewer"), "id"),
            (NewToken(id="loopback", role="viewer"), "id"),
            (NewToken(id="public", role="viewer"), "id"),
            (NewToken(id="a", role="boss"), "role"),  # type: ignore[arg-type]
            (NewToken(id="a", role="viewer", tables=()), "tables"),
            (NewToken(id="a", role="viewer", tables=("Table 1",)), "tables[0]"),
            (NewToken(id="a", role="viewer", seat=1), "tables"),
            (NewToken(id="a", role="viewer", seat=1, tables=("t", "u")), "tables"),
            (NewToken(id="a", role="viewer", seat=8, tables=("t",)), "seat"),
            (NewToken(id="a", role="admin", tables=("t",)), "tables"),
            (NewToken(id="a", role="viewer", expires_at="tomorrow"), "expires_at"),
            (NewToken(id="a", role="viewer", expires_at="2026-01-30T19:00:00.000000Z"), "expires_at"),
        ],
    )
    def test_rights_that_no_token_can_have_are_refused(self, access: AccessStore, new: NewToken, field: str) -> None:
        with pytest.raises(MalformedError) as refused:
            access.add_token(new)
        assert refused.value.values["where"] == field
        assert access.tokens() == []

    def test_the_day_of_last_use_is_kept_and_no_more(self, access: AccessStore, clock: HandClock) -> None:
        secret = access.add_token(NewToken(id="ann", role="viewer")).secret
        access.grant_of(secret)
        assert access.tokens()[0].last_used_on == "2026-01-30"
        clock.let_pass(days=2)
        access.grant_of(secret)
        assert access.tokens()[0].last_used_on == "2026-02-01"

    def test_what_is_refused_is_no_use(self, access: AccessStore) -> None:
        secret = access.add_token(NewToken(id="ann", role="viewer")).secret
        access.revoke("ann")
        access.grant_of(secret)
        assert access.tokens()[0].last_used_on is None

    def test_of_eight_who_take_one_id_at_the_same_time_one_gets_it(self, access: AccessStore) -> None:
        answers: list[object] = []

        def take() -> None:
            try:
                answers.append(access.add_token(NewToken(id="ann", role="viewer")))
            except ConflictError as refused:
                answers.append(refused.code)

        threads = [threading.Thread(target=take) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sum(isinstance(answer, Issued) for answer in answers) == 1
        assert answers.count("exists") == 7


class SessionContract(AccessStoreContract):
    """Signed-in browsers."""

    @pytest.fixture
    def token(self, access: AccessStore) -> str:
        return access.add_token(NewToken(id="table-3", role="recorder", tables=("ombre-1",))).secret

    def grant(self, access: AccessStore, token: str) -> Grant:
        granted = access.grant_of(token)
        assert isinstance(granted, Grant)
        return granted

    def test_a_session_has_the_rights_of_its_token_and_the_name_that_was_typed(
        self, access: AccessStore, token: str
    ) -> None:
        opened = signed_in(access.open_session(Grant(token="table-3", role="recorder", name="Zoe\u0308")))
        found = access.session_of(opened.secret)
        assert found == opened.session
        assert isinstance(found, Session)
        assert found.grant == Grant(token="table-3", role="recorder", tables=("ombre-1",), name="Zoë")
        assert found.grant.recorded_by == "table-3/Zoë"

    def test_a_grant_that_says_more_than_its_token_opens_no_more(self, access: AccessStore, token: str) -> None:
        opened = signed_in(access.open_session(Grant(token="table-3", role="admin", hands=True)))
        assert opened.session.grant == self.grant(access, token)

    @pytest.mark.parametrize("id", ["loopback", "public", "nobody"])
    def test_who_has_no_token_has_no_session(self, access: AccessStore, id: str) -> None:
        assert access.open_session(Grant(token=id, role="admin")) == "unknown"

    def test_two_sessions_have_two_secrets_and_each_its_own_csrf_token(self, access: AccessStore, token: str) -> None:
        one, other = (signed_in(access.open_session(self.grant(access, token))) for _ in range(2))
        assert len({one.secret, other.secret, one.session.csrf, other.session.csrf}) == 4
        assert is_session_secret(one.secret)
        assert one.session.csrf == csrf_of(one.secret)

    def test_a_closed_session_is_unknown_and_others_go_on(self, access: AccessStore, token: str) -> None:
        one, other = (signed_in(access.open_session(self.grant(access, token))) for _ in range(2))
        access.close_session(one.secret)
        access.close_session(one.secret)
        assert access.session_of(one.secret) == "unknown"
        assert access.session_of(other.secret) == other.session

    def test_a_token_is_no_session_and_a_session_no_token(self, access: AccessStore, token: str) -> None:
        opened = signed_in(access.open_session(self.grant(access, token)))
        assert access.session_of(token) == access.grant_of(opened.secret) == "unknown"
        assert access.redeem(token, None) == access.redeem(opened.secret, None) == "unknown"

    def test_a_session_ends_after_its_days(self, access: AccessStore, token: str, clock: HandClock) -> None:
        opened = signed_in(access.open_session(self.grant(access, token)))
        assert opened.session.ends_at == moment(clock, days=SESSION_DAYS)
        clock.let_pass(days=SESSION_DAYS, microseconds=-1)
        assert access.session_of(opened.secret) == opened.session
        clock.let_pass(microseconds=1)
        assert access.session_of(opened.secret) == "expired"

    def test_a_session_ends_with_its_token(self, access: AccessStore, clock: HandClock) -> None:
        access.add_token(NewToken(id="ann", role="viewer", expires_at=moment(clock, hours=1)))
        opened = signed_in(access.open_session(Grant(token="ann", role="viewer")))
        assert opened.session.ends_at == moment(clock, hours=1)
        clock.let_pass(hours=1)
        assert access.session_of(opened.secret) == access.open_session(opened.session.grant) == "expired"

    def test_a_revoked_token_takes_its_sessions_along(self, access: AccessStore, token: str) -> None:
        other = access.add_token(NewToken(id="ann", role="viewer")).secret
        opened, stays = (signed_in(access.open_session(self.grant(access, secret))) for secret in (token, other))
        access.revoke("table-3")
        assert access.session_of(opened.secret) == "revoked"
        assert access.open_session(opened.session.grant) == "revoked"
        assert access.session_of(stays.secret) == stays.session

    @pytest.mark.parametrize("name", ["", " ", "\u200b", "a\nb", "a/b", "x" * (limits.SIGN_IN_NAME_CHARS + 1)])
    def test_a_name_that_cannot_be_signs_nobody_in(self, access: AccessStore, token: str, name: str) -> None:
        code = access.add_code(NewCode(tables=("t",), role="viewer", until=TEN_O_CLOCK)).secret
        with pytest.raises(MalformedError):
            access.open_session(Grant(token="table-3", role="recorder", name=name))
        with pytest.raises(MalformedError):
            access.redeem(code, name)

    def test_who_signed_in_by_the_longest_name_can_record(self, access: AccessStore) -> None:
        id, name = "i" * limits.SLUG_CHARS, "n" * limits.SIGN_IN_NAME_CHARS
        access.add_token(NewToken(id=id, role="recorder"))
        opened = signed_in(access.open_session(Grant(token=id, role="recorder", name=name)))
        assert len(opened.session.grant.recorded_by) <= limits.NAME_CHARS

    def test_one_session_too_many_ends_the_first(
        self, access: AccessStore, token: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(limits, "SESSIONS_PER_TOKEN", 3)
        access.add_token(NewToken(id="ann", role="viewer"))
        other = signed_in(access.open_session(Grant(token="ann", role="viewer")))
        opened = [signed_in(access.open_session(self.grant(access, token))) for _ in range(4)]
        assert [isinstance(access.session_of(one.secret), Session) for one in [other, *opened]] == [
            True, False, True, True, True,
        ]  # fmt: skip

    def test_no_session_lives_longer_when_the_clock_is_set_back(
        self, access: AccessStore, token: str, clock: HandClock
    ) -> None:
        opened = signed_in(access.open_session(self.grant(access, token)))
        clock.let_pass(days=20)
        assert access.session_of(opened.secret) == opened.session
        clock.set_back(days=20)
        clock.let_pass(days=9)
        assert access.session_of(opened.secret) == opened.session
        clock.let_pass(days=1)
        assert access.session_of(opened.secret) == "expired"

    def test_what_has_ended_does_not_begin_anew_when_the_clock_is_set_back(
        self, access: AccessStore, clock: HandClock
    ) -> None:
        secret = access.add_token(NewToken(id="ann", role="viewer", expires_at=moment(clock, hours=1))).secret
        clock.let_pass(hours=1)
        assert access.grant_of(secret) == "expired"
        clock.set_back(hours=12)
        assert access.grant_of(secret) == "expired"


class CodeContract(AccessStoreContract):
    """Codes of tables: eight digits for many phones."""

    NEW = NewCode(tables=("ombre-1", "ombre-2"), role="recorder", until=TEN_O_CLOCK)

    def test_many_sign_in_by_one_code_each_under_a_name(self, access: AccessStore) -> None:
        code = access.add_code(self.NEW).secret
        assert is_code(code)
        opened = [signed_in(access.redeem(code, name)) for name in ("Ann", "Ben", None)]
        assert [one.session.grant.recorded_by for one in opened] == ["code-1/Ann", "code-1/Ben", "code-1"]
        assert {one.session.ends_at for one in opened} == {TEN_O_CLOCK}
        assert {one.session.grant.tables for one in opened} == {("ombre-1", "ombre-2")}
        assert {one.session.grant.role for one in opened} == {"recorder"}

    def test_a_code_is_no_bearers_token(self, access: AccessStore) -> None:
        assert access.grant_of(access.add_code(self.NEW).secret) == "unknown"

    def test_a_wrong_code_is_unknown(self, access: AccessStore) -> None:
        code = access.add_code(self.NEW).secret
        assert access.redeem(f"{(int(code) + 1) % 10**8:08}", "Ann") == "unknown"
        assert access.redeem(code[:7], "Ann") == access.redeem(f" {code}", "Ann") == "unknown"

    def test_a_code_ends_at_its_hour_and_so_do_those_who_signed_in_by_it(
        self, access: AccessStore, clock: HandClock
    ) -> None:
        code = access.add_code(self.NEW).secret
        opened = signed_in(access.redeem(code, "Ann"))
        clock.let_pass(hours=3)
        assert access.redeem(code, "Ben") == access.session_of(opened.secret) == "expired"

    def test_a_code_is_listed_and_revoked_like_a_token(self, access: AccessStore) -> None:
        issued = access.add_code(self.NEW)
        opened = signed_in(access.redeem(issued.secret, "Ann"))
        assert [(facts.id, facts.kind) for facts in access.tokens()] == [("code-1", "code")]
        access.revoke("code-1")
        assert access.redeem(issued.secret, "Ben") == access.session_of(opened.secret) == "revoked"

    def test_codes_are_numbered_and_no_number_comes_twice(self, access: AccessStore) -> None:
        access.add_token(NewToken(id="code-2", role="viewer"))
        first = access.add_code(self.NEW).token.id
        access.revoke(first)
        assert [first, access.add_code(self.NEW).token.id] == ["code-1", "code-3"]

    def test_a_revoked_token_takes_the_codes_along_that_were_made_with_it(self, access: AccessStore) -> None:
        access.add_token(NewToken(id="ann", role="director"))
        made, others = (
            access.add_code(NewCode(tables=("t",), role="viewer", until=TEN_O_CLOCK, made_by=by)).secret
            for by in ("ann", None)
        )
        opened = signed_in(access.redeem(made, "Ben"))
        access.revoke("ann")
        assert access.redeem(made, "Cleo") == access.session_of(opened.secret) == "revoked"
        assert isinstance(access.redeem(others, "Cleo"), OpenedSession)

    def test_a_token_that_has_ended_makes_no_code(self, access: AccessStore) -> None:
        access.add_token(NewToken(id="ann", role="director"))
        access.revoke("ann")
        for by in ("ann", "nobody"):
            with pytest.raises(NotFoundError):
                access.add_code(NewCode(tables=("t",), role="viewer", until=TEN_O_CLOCK, made_by=by))

    @pytest.mark.parametrize(
        "new",
        [
            NewCode(tables=(), role="viewer", until=TEN_O_CLOCK),
            NewCode(tables=("t",), role="director", until=TEN_O_CLOCK),  # type: ignore[arg-type]
            NewCode(tables=("t",), role="viewer", until="2026-01-30T18:59:59.000000Z"),
            NewCode(tables=("t",), role="viewer", until=TEN_O_CLOCK, id="public"),
        ],
    )
    def test_a_code_for_all_tables_a_director_or_the_past_is_refused(self, access: AccessStore, new: NewCode) -> None:
        with pytest.raises(MalformedError):
            access.add_code(new)
        assert access.tokens() == []
