"""The contract of every access store, whatever holds its rows: subclass it and say how a store is made."""

import re
import threading
import tomllib
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from ledger import limits
from ledger.access.base import Issued, NewCode, NewToken, OpenedSession, Session
from ledger.access.grants import Grant
from ledger.access.service import AccessStore
from ledger.access.tokens import csrf_of, is_code, is_session_secret, is_token
from ledger.errors import ConflictError, LedgerError, MalformedError, NotFoundError
from tests.contracts.scripts import scripts

EVENING = datetime(2026, 1, 30, 19, 0, tzinfo=UTC)
TEN_O_CLOCK = "2026-01-30T22:00:00.000000Z"


class HandClock:
    """A clock that is turned by hand, with a monotonic clock of its own."""

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
    """Random bytes that never repeat, and are the same in every run."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, count: int) -> bytes:
        self.calls += 1
        return sha256(str(self.calls).encode()).digest()[:count]


def moment(clock: HandClock, **later: float) -> str:
    return f"{(clock.moment + timedelta(**later)).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"


def signed_in(answer: object) -> OpenedSession:
    assert isinstance(answer, OpenedSession), answer
    return answer


class AccessStoreContract:
    """The base of the contract. Each test makes an empty store of its own."""

    def new_access(self, folder: Path, clock: HandClock) -> AccessStore:
        """Create the store of this folder, or open it again if the folder has one."""
        raise NotImplementedError

    @pytest.fixture
    def clock(self) -> HandClock:
        return HandClock()

    @pytest.fixture
    def access(self, tmp_path: Path, clock: HandClock) -> AccessStore:
        return self.new_access(tmp_path, clock)


SCRIPTS = scripts(Path(__file__).with_name("access_store.txt"))
Rights = dict[str, Any]
WRONG = tomllib.loads(Path(__file__).with_name("wrong_rights.toml").read_text(encoding="utf-8"))
UNITS = {"d": "days", "h": "hours", "min": "minutes", "s": "seconds", "us": "microseconds"}


def time_of(words: Iterable[str]) -> dict[str, float]:
    """Return `1h 30min` as the arguments of a `timedelta`."""
    matches = (re.fullmatch(r"(\d+)([a-z]+)", word) for word in words)
    return {UNITS[one[2]]: int(one[1]) for one in matches if one is not None}


def with_tuples(rights: Rights) -> Rights:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in rights.items()}


class AccessScript:
    """A script of steps on a store, with its secrets by the names that the script gives them."""

    def __init__(self, access: AccessStore, clock: HandClock) -> None:
        self.access, self.clock = access, clock
        self.secrets: dict[str, str] = {}
        self.sessions: dict[str, Session] = {}

    def run(self, step: str) -> None:
        doing, _, refusal = step.partition(" ! ")
        if refusal:
            before = self.access.tokens()
            with pytest.raises(LedgerError) as refused:
                self.do(*doing.split())
            assert f"{refused.value.code}: {refused.value}".startswith(refusal)
            assert self.access.tokens() == before
        else:
            self.do(*doing.split())

    def do(self, verb: str, *words: str) -> None:
        match verb, *words:
            case "token", id, role, *expires:
                ends = moment(self.clock, **time_of(expires)) if expires else None
                new = NewToken(id=id, role=role, expires_at=ends)  # type: ignore[arg-type]
                self.secrets[id] = self.access.add_token(new).secret
            case "code", *by:
                new_code = NewCode(tables=("t",), role="recorder", until=TEN_O_CLOCK, made_by=by[0] if by else None)
                issued = self.access.add_code(new_code)
                self.secrets[issued.token.id] = issued.secret
            case "open", token, "as", name:
                self.keep(name, self.access.open_session(Grant(token=token, role="viewer")))
            case "redeem", code, "as", name:
                self.keep(name, self.access.redeem(self.secrets[code], "Ann"))
            case "enter", token, *typed, "as", name:
                self.keep(name, self.entered(token, typed, None))
            case "again", before, token, *typed, "as", name:
                self.keep(name, self.entered(token, typed, self.secrets[before]))
            case name, "records", "as", *expected:
                assert self.sessions[name].grant.recorded_by == " ".join(expected)
            case "reset", "the", "clock":
                assert self.access.reset_clock() == moment(self.clock)
            case "the", "clock", "is", *expected:
                ahead = self.access.clock_ahead()
                assert ahead == (None if expected == ["right"] else moment(self.clock, **time_of(expected[1:])))
            case "close", name:
                self.access.close_session(self.secrets[name])
            case "revoke", id:
                self.access.revoke(id)
            case "pass", *time:
                self.clock.let_pass(**time_of(time))
            case "back", *time:
                self.clock.set_back(**time_of(time))
            case "tokens", "are", *listed:
                tokens = self.access.tokens()
                assert [f"{facts.id}/{facts.kind}/{facts.last_used_on or 'unused'}" for facts in tokens] == listed
            case "session", name, "ends", "in", *time:
                assert self.sessions[name].ends_at == moment(self.clock, **time_of(time))
            case question, name, "is", expected:
                assert self.answer(question, name) == expected
            case _:
                raise AssertionError(verb, words)

    def entered(self, token: str, typed: list[str], before: str | None) -> object:
        """Sign in by a token or a code, with the name that was typed, if any."""
        secret, name = self.secrets[token], " ".join(typed) or None
        if is_code(secret):
            return self.access.redeem(secret, name, before)
        return self.access.open_session(Grant(token=token, role="viewer", name=name), before)

    def keep(self, name: str, answer: object) -> None:
        self.sessions[name] = signed_in(answer).session
        self.secrets[name] = signed_in(answer).secret

    def answer(self, question: str, name: str) -> str:
        """Return in a word what a secret grants."""
        secret = self.secrets.get(name, name)
        match question:
            case "grant":
                answer: object = self.access.grant_of(secret)
            case "session":
                answer = self.access.session_of(secret)
                assert isinstance(answer, str) or answer == self.sessions[name]
            case "opening":
                answer = self.access.open_session(Grant(token=name, role="admin"))
            case "redeeming":
                answer = self.access.redeem(secret, None)
        return answer if isinstance(answer, str) else "good"


class TokenContract(AccessStoreContract):
    """Issuing, presenting and revoking tokens; the scripts have sessions and codes, too."""

    @pytest.mark.parametrize("title", SCRIPTS)
    def test_access(self, access: AccessStore, clock: HandClock, title: str) -> None:
        script = AccessScript(access, clock)
        for step in SCRIPTS[title]:
            script.run(step)

    def test_a_new_store_knows_nobody(self, access: AccessStore) -> None:
        assert access.tokens() == []
        assert access.grant_of("trk_" + "0" * 43 + "_00000000") == "unknown"

    def test_a_token_grants_the_rights_that_it_was_issued_with(self, access: AccessStore) -> None:
        new = NewToken(id="table-3", role="recorder", tables=("ombre-1",), may_open=True, seat=2, hands=True)
        secret = access.add_token(new).secret
        assert is_token(secret)
        assert access.grant_of(secret) == Grant(
            token="table-3", role="recorder", tables=("ombre-1",), may_open=True, seat=2, hands=True
        )

    def test_the_facts_of_a_token_lack_only_its_secret(self, access: AccessStore, clock: HandClock) -> None:
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

    def test_a_revoked_token_opens_nothing_and_keeps_its_end_time(self, access: AccessStore, clock: HandClock) -> None:
        secret = access.add_token(NewToken(id="ann", role="viewer")).secret
        revoked = access.revoke("ann")
        assert revoked.revoked_at == moment(clock)
        assert access.grant_of(secret) == "revoked"
        clock.let_pass(hours=1)
        assert access.revoke("ann") == revoked
        assert access.tokens() == [revoked]

    def test_revoking_an_unknown_token_suggests_similar_ids(self, access: AccessStore) -> None:
        access.add_token(NewToken(id="table-3", role="viewer"))
        with pytest.raises(NotFoundError, match="there is no token table-4; perhaps table-3") as refused:
            access.revoke("table-4")
        assert refused.value.values["known"] == ("table-3",)

    @pytest.mark.parametrize(("field", "rights"), WRONG["tokens"])
    def test_impossible_rights_of_a_token_are_rejected(self, access: AccessStore, field: str, rights: Rights) -> None:
        with pytest.raises(MalformedError) as refused:
            access.add_token(NewToken(**with_tuples(rights)))
        assert refused.value.values["where"] == field
        assert access.tokens() == []

    def test_one_of_eight_concurrent_claims_on_an_id_succeeds(self, access: AccessStore) -> None:
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

    def test_a_session_has_the_rights_of_its_token_and_the_typed_name(self, access: AccessStore, token: str) -> None:
        opened = signed_in(access.open_session(Grant(token="table-3", role="recorder", name="Zoe\u0308")))
        session = access.session_of(opened.secret)
        assert session == opened.session
        assert isinstance(session, Session)
        assert session.grant == Grant(token="table-3", role="recorder", tables=("ombre-1",), name="Zoë")
        assert session.grant.recorded_by == "table-3/Zoë"

    def test_a_grant_that_says_more_than_its_token_opens_no_more(self, access: AccessStore, token: str) -> None:
        opened = signed_in(access.open_session(Grant(token="table-3", role="admin", hands=True)))
        granted = self.grant(access, token)
        assert opened.session.grant == structs.replace(granted, name="table-3 2")

    def test_two_sessions_have_two_secrets_and_each_its_own_csrf_token(self, access: AccessStore, token: str) -> None:
        one, other = (signed_in(access.open_session(self.grant(access, token))) for _ in range(2))
        assert len({one.secret, other.secret, one.session.csrf, other.session.csrf}) == 4
        assert is_session_secret(one.secret)
        assert one.session.csrf == csrf_of(one.secret)

    @pytest.mark.parametrize("name", ["", " ", "\u200b", "a\nb", "a/b", "x" * (limits.SIGN_IN_NAME_CHARS + 1)])
    def test_an_invalid_name_signs_nobody_in(self, access: AccessStore, token: str, name: str) -> None:
        code = access.add_code(NewCode(tables=("t",), role="viewer", until=TEN_O_CLOCK)).secret
        with pytest.raises(MalformedError):
            access.open_session(Grant(token="table-3", role="recorder", name=name))
        with pytest.raises(MalformedError):
            access.redeem(code, name)

    def test_the_longest_sign_in_name_can_record(self, access: AccessStore) -> None:
        id, name = "i" * limits.SLUG_CHARS, "n" * limits.SIGN_IN_NAME_CHARS
        access.add_token(NewToken(id=id, role="recorder"))
        opened = signed_in(access.open_session(Grant(token=id, role="recorder", name=name)))
        assert len(opened.session.grant.recorded_by) <= limits.NAME_CHARS

    def test_a_session_more_ends_one(self, access: AccessStore, token: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(limits, "SESSIONS_PER_TOKEN", 3)
        access.add_token(NewToken(id="ann", role="viewer"))
        other = signed_in(access.open_session(Grant(token="ann", role="viewer")))
        opened = [signed_in(access.open_session(self.grant(access, token))) for _ in range(4)]
        assert [isinstance(access.session_of(one.secret), Session) for one in [other, *opened]] == [
            True, False, True, True, True,
        ]  # fmt: skip


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

    def test_a_wrong_code_is_unknown(self, access: AccessStore) -> None:
        code = access.add_code(self.NEW).secret
        assert access.redeem(f"{(int(code) + 1) % 10**8:08}", "Ann") == "unknown"
        assert access.redeem(code[:7], "Ann") == access.redeem(f" {code}", "Ann") == "unknown"

    @pytest.mark.parametrize("rights", WRONG["codes"])
    def test_a_code_for_all_tables_a_director_or_the_past_is_refused(self, access: AccessStore, rights: Rights) -> None:
        with pytest.raises(MalformedError):
            access.add_code(NewCode(**with_tuples(rights)))
        assert access.tokens() == []
