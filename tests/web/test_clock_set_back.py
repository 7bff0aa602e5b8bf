"""The machine's clock set back while the service runs, and between two runs: nothing that has ended lives again."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ledger.service.running import Settings
from tests.web.attacking import Attacked, attacked
from tests.web.serving import ledger_of

EVENING = datetime(2026, 5, 1, 20, tzinfo=UTC)
UNTIL = "2026-05-01T21:00:00.000000Z"


class Machine:
    """What its clock says, and what passes in truth."""

    def __init__(self) -> None:
        self.says = EVENING
        self.passed_s = 0.0

    def clock(self) -> datetime:
        return self.says

    def elapsed_s(self) -> float:
        return self.passed_s

    def goes_on(self, minutes: float) -> None:
        self.says += timedelta(minutes=minutes)
        self.passed_s += 60 * minutes

    def is_set_back(self, **by: float) -> None:
        self.says -= timedelta(**by)


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return ledger_of(tmp_path)


@pytest.fixture
def service(path: Path, machine: Machine) -> Iterator[Attacked]:
    with attacked(path, Settings(loopback=False), machine.clock, elapsed_s=machine.elapsed_s) as one:
        yield one


def test_an_evenings_token_and_who_signed_in_by_it_end_when_it_ends(service: Attacked, machine: Machine) -> None:
    token = service.token("evening", expires_at=UNTIL)
    cookie, _ = service.signed_in(token)
    machine.goes_on(59)
    assert (service.get("/me", token=token).status, service.get("/me", cookie=cookie).status) == (200, 200)
    machine.goes_on(2)
    assert (service.get("/me", token=token).status, service.get("/me", cookie=cookie).status) == (401, 401)
    machine.is_set_back(hours=12)
    assert (service.get("/me", token=token).status, service.get("/me", cookie=cookie).status) == (401, 401)
    assert service.post("/sign-in", {"token": token}).status == 401


def test_a_clock_that_is_set_back_gives_nobody_more_time(service: Attacked, machine: Machine) -> None:
    token, code = service.token("evening", expires_at=UNTIL), service.code("ours", until=UNTIL)
    cookie, _ = service.signed_in(code)
    machine.goes_on(30)
    assert service.get("/me", cookie=cookie).status == 200
    machine.is_set_back(days=365)
    machine.goes_on(31)
    assert service.get("/me", token=token).status == 401
    assert service.get("/me", cookie=cookie).status == 401
    assert service.post("/sign-in", {"code": code}).status == 401


def test_a_session_of_an_endless_token_ends_after_a_month_in_truth(service: Attacked, machine: Machine) -> None:
    cookie, _ = service.signed_in(service.token("endless"))
    for _ in range(30):
        machine.goes_on(24 * 60)
        machine.is_set_back(hours=24)
        service.get("/me", cookie=cookie)
    machine.goes_on(1)
    assert service.get("/me", cookie=cookie).status == 401


def test_a_start_with_the_clock_set_back_revives_nothing(path: Path, machine: Machine) -> None:
    with attacked(path, Settings(loopback=False), machine.clock, elapsed_s=machine.elapsed_s) as service:
        token, other = service.token("evening", expires_at=UNTIL), service.token("endless")
        cookie, _ = service.signed_in(token)
        machine.goes_on(62)
        assert service.get("/me", token=other).status == 200
    machine.is_set_back(hours=2)
    with attacked(path, Settings(loopback=False), machine.clock, elapsed_s=machine.elapsed_s) as service:
        assert service.get("/me", token=token).status == 401
        assert service.get("/me", cookie=cookie).status == 401
        assert service.get("/me", token=other).status == 200


def test_what_was_revoked_stays_so(service: Attacked, machine: Machine) -> None:
    token = service.token("evening")
    machine.goes_on(10)
    service.access.revoke("evening")
    machine.is_set_back(hours=1)
    assert service.get("/me", token=token).code == "gone"


def test_guesses_are_counted_by_the_time_that_passes(service: Attacked, machine: Machine) -> None:
    for _ in range(10):
        service.post("/sign-in", {"code": "00000000"})
    machine.is_set_back(hours=1)
    assert service.post("/sign-in", {"code": "00000000"}).status == 429
    machine.goes_on(120)
    assert service.post("/sign-in", {"code": "00000000"}).status == 429, "it is the process's own clock that counts"
