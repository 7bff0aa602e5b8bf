"""Signing in, and every known way around it: cookies, foreign pages, old links, guesses, hostile names."""

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import pytest

import ledger
from ledger.access.tokens import new_session_secret
from ledger.service.running import Settings
from tests.contracts.access_store import HandClock, moment
from tests.covering import covering
from tests.web.attacking import PHONE, Attacked, Reply, attacked
from tests.web.lists import section
from tests.web.serving import OMBRE, ledger_with, record, stored_rows

HTTPS = ("x-forwarded-proto", "https")


@pytest.fixture
def club(tmp_path: Path) -> Path:
    return ledger_with(tmp_path, {"ours": OMBRE, "theirs": OMBRE})


@pytest.fixture
def service(club: Path) -> Iterator[Attacked]:
    with attacked(club) as one:
        yield one


def note(text: str = "a cup was spilled") -> dict[str, Any]:
    return {"entries": [{"id": str(uuid4()), "event": {"type": "noted", "text": text}}]}


def write(service: Attacked, *headers: tuple[str, str], **how: Any) -> Reply:
    return service.post("/streams/table/ours/entries", note(), *headers, **how)


def attributes(reply: Reply) -> tuple[str, set[str]]:
    (cookie,) = reply.all("set-cookie")
    name, *others = cookie.split("; ")
    return name.partition("=")[0], set(others)


def test_a_cookie_of_plain_http_is_for_no_script_and_for_no_other_site(service: Attacked) -> None:
    reply = service.post("/sign-in", {"token": service.token("table-1")})
    assert attributes(reply) == ("trickledger", {"Path=/", "Max-Age=34560000", "HttpOnly", "SameSite=Strict"})


def test_a_cookie_of_https_is_besides_for_https_alone_and_for_no_host_above(club: Path) -> None:
    with attacked(club, Settings(loopback=False, is_https=True)) as service:
        reply = service.post("/sign-in", {"token": service.token("table-1")})
        expected = {"Path=/", "Max-Age=34560000", "HttpOnly", "SameSite=Strict", "Secure"}
        assert attributes(reply) == ("__Host-trickledger", expected)
        secret = reply.cookie.partition("=")[2]
        assert service.get("/me", cookie=reply.cookie).status == 200
        assert service.get("/me", cookie=f"trickledger={secret}").status == 401


def test_behind_a_proxy_the_cookie_is_that_of_https_where_the_proxy_says_so(club: Path) -> None:
    with attacked(club, Settings(loopback=False, proxy=True)) as service:
        token = {"token": service.token("table-1")}
        assert attributes(service.post("/sign-in", token, HTTPS, peer="127.0.0.1"))[0] == "__Host-trickledger"
        assert attributes(service.post("/sign-in", token, peer="127.0.0.1"))[0] == "trickledger"
        assert attributes(service.post("/sign-in", token, HTTPS, peer=PHONE))[0] == "trickledger", "nobody else says it"


def test_signing_out_takes_the_cookie_back_with_the_same_attributes(service: Attacked) -> None:
    cookie, csrf = service.signed_in(service.token("table-1"))
    reply = service.ask("POST", "/sign-out", cookie=cookie, csrf=csrf)
    assert reply.status == 204
    assert attributes(reply) == ("trickledger", {"Path=/", "Max-Age=0", "HttpOnly", "SameSite=Strict"})
    assert service.get("/me", cookie=cookie).status == 401


def test_a_cookie_that_somebody_made_up_is_never_taken_over(service: Attacked) -> None:
    planted = f"trickledger={new_session_secret(lambda count: b'7' * count)}"
    reply = service.post("/sign-in", {"token": service.token("table-1")}, cookie=planted)
    assert reply.status == 204
    assert reply.cookie != planted
    assert service.get("/me", cookie=planted).status == 401


def test_each_browser_has_a_session_of_its_own(service: Attacked) -> None:
    code = service.code("ours")
    (ann, ann_csrf), (ben, ben_csrf) = service.signed_in(code, "Ann"), service.signed_in(code, "Ben")
    assert ann != ben
    assert ann_csrf != ben_csrf
    assert write(service, cookie=ann, csrf=ben_csrf).code == "csrf"
    assert service.ask("POST", "/sign-out", cookie=ann, csrf=ann_csrf).status == 204
    assert service.get("/me", cookie=ben).status == 200


def test_two_cookies_of_our_name_are_nobody(service: Attacked) -> None:
    """Another service of this machine, at another port, may set cookies for us; browsers do not say whose they are."""
    cookie, csrf = service.signed_in(service.token("table-1", "recorder"))
    other, _ = service.signed_in(service.token("table-2", "recorder"))
    assert service.get("/me", cookie=f"{other}; {cookie}").status == 401
    assert service.get("/me", ("cookie", other), ("cookie", cookie)).status == 401
    assert write(service, cookie=f"{other}; {cookie}", csrf=csrf).status == 401


def test_cookies_of_other_names_do_no_harm(service: Attacked) -> None:
    cookie, _ = service.signed_in(service.token("table-1"))
    for others in ("a=b", "trickledger2=x", "=", ";;;", 'x="trickledger=y"'):
        assert service.get("/me", cookie=f"{others}; {cookie}").status == 200


def test_a_token_beats_the_cookie(service: Attacked) -> None:
    cookie, _ = service.signed_in(service.token("table-1"))
    admin = service.token("the-admin", "admin")
    assert service.get("/me", token=admin, cookie=cookie).json["token"] == "the-admin"
    assert service.get("/me", token="trk_wrong", cookie=cookie).status == 401


FROM_ELSEWHERE = ((), *map(str.split, section("hostile_addresses.txt", "headers from elsewhere")))
"""Headers of changes that no page of ours sends, as `name=value`; CSRF is replaced by the token of the session."""


@pytest.mark.parametrize(("method", "headers"), covering(("POST", "PUT", "DELETE"), FROM_ELSEWHERE))
def test_a_change_by_cookie_needs_our_own_page(service: Attacked, method: str, headers: Sequence[str]) -> None:
    cookie, csrf = service.signed_in(service.token("the-admin", "admin"))
    headers = [(name, csrf if value == "CSRF" else value) for name, _, value in (one.partition("=") for one in headers)]
    target = {"POST": "/tokens", "PUT": "/queries/mine", "DELETE": "/tokens/the-admin"}[method]
    reply = service.ask(method, target, ("content-type", "application/json"), *headers, cookie=cookie, content=b"{}")
    assert (reply.status, reply.code) == (403, "csrf")
    assert service.get("/me", cookie=cookie).status == 200


def test_no_other_site_signs_a_browser_in_or_reads_with_its_cookie(service: Attacked) -> None:
    token = service.token("table-1")
    cookie, _ = service.signed_in(token)
    for origin in ("http://evil.example", "null", "https://127.0.0.1:8751", "http://127.0.0.1@evil.example"):
        assert service.post("/sign-in", {"token": token}, ("origin", origin)).code == "csrf"
        assert service.get("/tables", ("origin", origin), cookie=cookie).code == "csrf"


def test_no_answer_lets_another_site_read_it(service: Attacked) -> None:
    cookie, _ = service.signed_in(service.token("table-1"))
    for reply in (service.get("/tables", cookie=cookie), service.ask("OPTIONS", "/tables", cookie=cookie)):
        assert not [name for name, _ in reply.headers if name.startswith("access-control")]


def test_a_link_that_was_revoked_is_gone_however_often_it_is_tried(service: Attacked) -> None:
    token = service.token("table-1", "recorder")
    cookie, csrf = service.signed_in(token, "Ann")
    assert service.ask("DELETE", "/tokens/table-1", token=service.token("the-admin", "admin")).status == 204
    for _ in range(3):
        assert (service.post("/sign-in", {"token": token}).status, service.get("/me", token=token).status) == (410, 410)
    assert service.get("/me", cookie=cookie).code == "gone"
    assert write(service, cookie=cookie, csrf=csrf).code == "gone"


def test_a_clock_that_is_set_back_gives_nobody_more_time(club: Path) -> None:
    clock = HandClock()
    with attacked(club, Settings(loopback=False), clock, elapsed_s=clock.elapsed_s) as service:
        end = moment(clock, hours=1)
        token, code = service.token("evening", expires_at=end), service.code("ours", until=end)
        cookie, _ = service.signed_in(code)
        clock.let_pass(minutes=30)
        assert (service.get("/me", token=token).status, service.get("/me", cookie=cookie).status) == (200, 200)
        clock.set_back(days=365)
        clock.let_pass(minutes=31)
        assert (service.get("/me", token=token).status, service.get("/me", cookie=cookie).status) == (401, 401)
        assert service.post("/sign-in", {"token": token}).status == 401
        assert service.post("/sign-in", {"code": code}).status == 401


def test_guesses_are_counted_by_the_time_that_passes(club: Path) -> None:
    """The clock is the monotonic one of the process, not that of the machine."""
    clock = HandClock()
    with attacked(club, Settings(loopback=False), clock, elapsed_s=clock.elapsed_s) as service:
        statuses = [service.post("/sign-in", {"code": "00000000"}).status for _ in range(10)]
        clock.set_back(hours=1)
        statuses.append(service.post("/sign-in", {"code": "00000000"}).status)
        clock.let_pass(hours=2)
        statuses.append(service.post("/sign-in", {"code": "00000000"}).status)
        assert statuses == [401] * 10 + [429] * 2


NO_CODES = ["1234567", "123456789", "１２３４５６７８", "١٢٣٤٥٦٧٨", "1234567a", "", " ", "0x123456", "-1234567"]


def test_ten_codes_a_minute_are_guessed_from_one_address(service: Attacked) -> None:
    """What is no code counts as a guess, too."""
    code = service.code("ours")
    replies = [service.post("/sign-in", {"code": guess}) for guess in (*NO_CODES, "00000000", "00000001", "00000002")]
    assert [reply.status for reply in replies] == [401] * 10 + [429] * 2
    page = service.browse("/sign-in", form={"code": code})
    assert page.status == 429 and b"you are not locked out" in page.body, "the right one is not tried either"
    assert all(1 <= int(reply.header("retry-after") or "") <= 60 for reply in (page, replies[-1]))
    assert service.post("/sign-in", {"code": code}, peer="192.168.1.21").status == 204


def test_a_hundred_codes_a_minute_are_guessed_in_all(service: Attacked) -> None:
    code = service.code("ours")
    for number in range(100):
        peer = f"192.168.2.{number // 10}"
        assert service.post("/sign-in", {"code": f"{number:08}"}, peer=peer).status == 401
    reply = service.post("/sign-in", {"code": code}, peer="192.168.3.1")
    assert reply.code == "too_many_requests" and reply.header("retry-after")
    assert service.post("/sign-in", {"token": service.token("table-1")}, peer="192.168.3.1").status == 204


FORGED: Final[Mapping[str, Callable[[int], tuple[list[str], str]]]] = {
    "a network of addresses": lambda n: ([], f"2001:db8::{n:x}"),
    "a header that no proxy wrote": lambda n: ([f"203.0.113.{n}"], PHONE),
    "a header that the proxy has added to": lambda n: ([f"203.0.113.{n}, 198.51.100.7"], "127.0.0.1"),
    "a line below which the proxy has added one": lambda n: ([f"203.0.113.{n}", "198.51.100.7"], "127.0.0.1"),
}
"""Headers that make one guesser look like many: the lines of `X-Forwarded-For`, and the peer, for each guess."""


@pytest.mark.parametrize("forged", FORGED)
def test_nobody_is_another_one_for_each_guess(club: Path, forged: str) -> None:
    with attacked(club, Settings(loopback=False, proxy=True)) as service:
        statuses = []
        for number in range(12):
            lines, peer = FORGED[forged](number)
            headers = [("x-forwarded-for", line) for line in lines]
            statuses.append(service.post("/sign-in", {"code": "00000000"}, *headers, peer=peer).status)
        assert statuses == [401] * 10 + [429] * 2


@pytest.mark.parametrize("scheme", ["Basic", "Digest", "Token", "bearer:", "", "bEaReR"])
def test_a_token_is_shown_as_a_bearer_token_in_any_case(service: Attacked, scheme: str) -> None:
    reply = service.get("/me", ("authorization", f"{scheme} {service.token('the-admin', 'admin')}"))
    is_known = scheme.lower() == "bearer"
    assert (reply.status, reply.header("www-authenticate")) == ((200, None) if is_known else (401, "Bearer"))


@pytest.mark.parametrize("name", ["", " ", "/", "x" * 101, *(f"a{it}b" for it in "/\n\r\x00\t\u2028\x7f\x85\ud800")])
def test_a_name_that_is_none_signs_nobody_in(service: Attacked, name: str) -> None:
    reply = service.post("/sign-in", {"token": service.token("table-1"), "name": name})
    assert reply.status in (400, 413, 422) and not reply.all("set-cookie")


@pytest.mark.parametrize(
    ("typed", "recorded"),
    [("Ann", "Ann"), ("Zoe\u0308", "Zoë"), ("<b>'; DROP", "<b>'; DROP"), ("花子", "花子"), ("admin", "admin")],
)
def test_what_is_recorded_says_by_which_token_and_who(service: Attacked, typed: str, recorded: str) -> None:
    cookie, csrf = service.signed_in(service.code("ours", id="friday"), typed)
    assert write(service, cookie=cookie, csrf=csrf).status == 201
    assert stored_rows(service.service.ledger, "table/ours")[-1].recorded_by == f"friday/{recorded}"
    assert service.get("/me", cookie=cookie).json["role"] == "recorder"


def test_two_who_sign_in_at_once_by_a_new_name_are_one_person(tmp_path: Path) -> None:
    with ledger.create(tmp_path / "club.ledger", handles=True) as store:
        record(store, "ours", *OMBRE)
    with attacked(tmp_path / "club.ledger") as service:
        how = {"content": json.dumps({"code": service.code("ours"), "name": "Ada"}).encode()}
        sent = [service.request("POST", "/sign-in", ("content-type", "application/json"), **how) for _ in range(2)]
        replies = service.run(asyncio.gather(*map(service._runner.get_loop().create_task, sent)))
        me = [service.get("/me", cookie=one.cookie).json["name"] for one in replies]
        (handle,) = service.service.store().display_names()
    assert sorted(me) == [handle, f"{handle} 2"]


def test_a_token_in_the_address_is_refused_and_nowhere_written_down(service: Attacked) -> None:
    token = service.token("table-1")
    for name in ("token", "access_token", "key", "code"):
        assert service.get(f"/tables?{name}={token}").status == 401
        reply = service.get(f"/tables?{name}={token}", token=token)
        assert (reply.status, reply.code) == (400, "unknown_parameter")
        assert token.encode() not in reply.body
    assert token.encode() not in service.logged


def test_no_secret_is_in_the_log_or_in_a_problem(service: Attacked) -> None:
    token, code = service.token("the-admin", "admin"), service.code("ours")
    cookie, csrf = service.signed_in(token, "Ann")
    opened, _ = service.signed_in(code, "Ben")
    bodies = [
        service.post("/sign-in", {"token": token, "extra": 1}).body,
        service.post("/sign-in", {"token": token + "0"}).body,
        service.post("/sign-in", {"code": code, "name": "a/b"}).body,
        service.post("/sign-in", f'{{"token": "{token}"'.encode()).body,
        service.get(f"/{token}", token=token).body[:0],
        service.get("/tables", ("origin", "null"), cookie=cookie).body,
        service.post("/tokens", {"role": csrf}, cookie=cookie).body,
        service.get("/openapi.json").body,
        service.get("/tokens", token=token).body,
        service.get("/nothing", token=token).body,
    ]
    secrets = [token, code, csrf, *(one.partition("=")[2] for one in (cookie, opened))]
    for secret in map(str.encode, secrets):
        assert [body for body in bodies if secret in body] == []
        assert secret not in service.logged


def test_a_new_token_is_shown_this_once(service: Attacked) -> None:
    admin = service.token("the-admin", "admin")
    issued = service.post("/tokens", {"id": "table-1", "role": "viewer"}, token=admin)
    secret = issued.json["secret"].encode()
    assert issued.header("cache-control") == "no-store"
    assert secret not in service.get("/tokens", token=admin).body
    assert service.post("/tokens", {"id": "table-1", "role": "viewer"}, token=admin).code == "exists"
    assert secret not in service.logged
