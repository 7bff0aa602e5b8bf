"""Requests that no honest client sends: paths that lead elsewhere, line breaks, endless or senseless bodies."""

from collections.abc import Iterator
from time import thread_time

import pytest

from ledger.service.running import Settings
from ledger.web import handlers  # noqa: F401 - each module declares its routes
from ledger.web.http.openapi import path_names
from ledger.web.http.response import header_line
from ledger.web.http.routing import ROUTES
from tests.covering import IS_SOAK, covering, wider_in_soak
from tests.web.attacking import HOME, Attacked, Reply, attacked, filled
from tests.web.lists import section
from tests.web.serving import OMBRE, ledger_with

SECRET = "hidden-word"
JSON = ("content-type", "application/json")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    """A service where clients on this machine may do everything; a private file is in the same folder."""
    folder = tmp_path_factory.mktemp("club")
    for name in ("secret.toml", "secret.sql", "secret.svg", "secret"):
        (folder / name).write_text(SECRET)
    with attacked(ledger_with(folder, {"ours": OMBRE}), Settings()) as one:
        yield one


LISTS = "hostile_addresses.txt"
VALUES = (*section(LISTS, "values of parameters"), "9" * 400, "x" * 8_000)
PATHS = [(one.method, one.path) for one in ROUTES if "{" in one.path]


@wider_in_soak
@pytest.mark.parametrize(("method", "path"), PATHS)
def test_no_value_in_a_path_leads_elsewhere(service: Attacked, method: str, path: str) -> None:
    """Each route takes every third value, another third than the one before; in a soak run all."""
    values = VALUES if IS_SOAK else VALUES[PATHS.index((method, path)) % 3 :: 3]
    for name in path_names(path):
        for value in values:
            reply = service.ask(method, filled(path, **{name: value}), JSON, peer=HOME, content=b"{}")
            assert reply.status in (200, 400, 403, 404, 405, 406, 409, 415, 422, 428), value
            assert SECRET.encode() not in reply.body
            assert b"root:" not in reply.body


@pytest.mark.parametrize("target", section(LISTS, "paths"))
def test_a_path_means_what_it_says(service: Attacked, target: str) -> None:
    reply = service.get(target, peer=HOME)
    assert reply.status == (200 if target == "/" else 404)


@pytest.mark.parametrize(
    "path", ["/api", "/api/v1x/health", "/api/v2/health", "/problems/forbidden/../x", "*", "/.git/config"]
)
def test_what_is_not_below_the_api_is_not_there(service: Attacked, path: str) -> None:
    """The path is sent without the prefix of all routes."""
    reply = service.run(service.called({"path": path, "raw_path": path.encode()}))
    assert (reply.status, reply.code) == (404, "not_found")


@pytest.mark.parametrize("method", ["TRACE", "OPTIONS", "CONNECT", "PATCH", "PROPFIND", "get", "PURGE", "A" * 5_000])
def test_a_method_that_is_not_there_is_not_allowed(service: Attacked, method: str) -> None:
    reply = service.ask(method, "/tables", ("cookie", "a=b"), peer=HOME)
    assert (reply.status, reply.header("allow")) == (405, ", ".join(reply.json["allow"]))
    assert b"a=b" not in reply.body, "a TRACE would show a script the cookie"


@pytest.mark.parametrize("header", ["x-http-method-override", "x-http-method", "x-method-override"])
def test_no_header_makes_another_method_of_one(service: Attacked, header: str) -> None:
    id = f"stays-{header}"
    service.token(id)
    service.ask("POST", f"/tokens/{id}", (header, "DELETE"), peer=HOME)
    service.get(f"/tokens/{id}", (header, "DELETE"), peer=HOME)
    assert service.get("/tables", (header, "DELETE"), peer=HOME).status == 200
    assert next(one for one in service.access.tokens() if one.id == id).revoked_at is None


@pytest.mark.parametrize("header", ["x-original-url", "x-rewrite-url", "x-forwarded-prefix", "x-original-host"])
def test_no_header_makes_another_path_of_one(service: Attacked, header: str) -> None:
    reply = service.get("/health", (header, "/api/v1/tokens"), peer=HOME)
    assert reply.json == {"status": "ok"}


BROKEN = "x%0d%0aSet-Cookie:%20trickledger=evil%0d%0a%0d%0a<script>"
BROKEN_TARGETS = [one.format(BROKEN) for one in section(LISTS, "targets with a line break at {}")]


@pytest.mark.parametrize(("method", "target"), covering(("GET", "HEAD", "POST"), BROKEN_TARGETS))
def test_no_line_break_of_an_address_reaches_a_header(service: Attacked, method: str, target: str) -> None:
    reply = service.ask(method, target, peer=HOME)
    assert not reply.all("set-cookie")  # that no header holds any control character is looked at with every answer


@pytest.mark.parametrize(
    ("header", "value"),
    covering(
        ("accept-language", "accept", "if-none-match", "origin", "last-event-id", "content-type"),
        ("a\r\nSet-Cookie: a=b", "\x00", "\xff\xfe", ",;=\"'", "x" * 15_000),
    ),
)
def test_no_header_of_a_request_comes_back_in_one_of_the_answer(service: Attacked, header: str, value: str) -> None:
    assert not service.post("/sign-in", b"{}", (header, value), peer=HOME).all("set-cookie")
    assert not service.get("/tables", (header, value), peer=HOME).all("set-cookie")


def test_a_line_break_begins_no_header() -> None:
    assert header_line("link", 'a"\r\nset-cookie: x') == (b"link", b'a"??set-cookie: x')


LONG = (
    "x," + " " * 15_000 + ",x", "," * 15_000, ";" * 15_000, "a;q=" * 3_000, "=" * 15_000, "\t, " * 5_000, '"' * 15_000,
)  # fmt: skip


@pytest.mark.parametrize(
    "header", ["accept-language", "accept", "cookie", "if-none-match", "x-forwarded-for", "authorization"]
)
def test_no_header_takes_long_to_read(service: Attacked, header: str) -> None:
    for value in LONG:
        before = thread_time()
        service.get("/health", (header, value), peer=HOME)
        assert thread_time() - before < 0.5, value[:20]


def sign_in(service: Attacked, body: bytes, number: int = 0) -> Reply:
    return service.post("/sign-in", body, peer=f"10.0.{number // 250}.{number % 250}")


DEEP = 10_000
BODIES = {
    **{what: body.encode() for what, body in (one.split(": ", 1) for one in section(LISTS, "bodies"))},
    "brackets": b"[" * 1_000_000,
    "closed brackets": b"[" * DEEP + b"]" * DEEP,
    "deep in a field that is not there": b'{"x":' + b"[" * DEEP + b"]" * DEEP + b"}",
    "deep in a field that is": b'{"token":' + b"[" * DEEP + b"]" * DEEP + b"}",
    "deep objects": b'{"token":' * DEEP + b"1" + b"}" * DEEP,
    "deep objects of a field that is not there": b'{"x":' * DEEP + b"1" + b"}" * DEEP,
    "a deep wrong field after a wrong one": b'{"token":1,"name":' + b'{"a":' * DEEP + b"1" + b"}" * DEEP + b"}",
    "a long number": b'{"token":' + b"9" * 500_000 + b"}",
    "a long fraction": b'{"token":0.' + b"1" * 500_000 + b"}",
    "no UTF-8": b'{"token":"\xff\xfe"}',
    "overlong UTF-8": b'{"token":"\xc0\xaf"}',
    "UTF-16": '{"token":"x"}'.encode("utf-16"),
    "a byte order mark": b'\xef\xbb\xbf{"token":"x"}',
    "NUL": b'{"token":"\x00"}',
    "nothing": b"",
    "a long name": b'{"' + b"x" * 900_000 + b'":1}',
    "many fields": b"{" + b",".join(b'"x%d":1' % number for number in range(60_000)) + b"}",
    "a long text": b'{"token":"' + b"x" * 900_000 + b'"}',
    "many escapes": b'{"token":"' + b"\\u0000" * 150_000 + b'"}',
}


@pytest.mark.parametrize("what", BODIES)
def test_no_body_is_more_than_refused(service: Attacked, what: str) -> None:
    before = thread_time()
    reply = sign_in(service, BODIES[what], list(BODIES).index(what))
    assert reply.status in (400, 401, 422), reply.body
    assert len(reply.body) < 5_000, "what was sent does not come back whole"
    assert thread_time() - before < 2


@pytest.mark.parametrize("what", BODIES)
def test_no_body_of_entries_is_more_than_refused(service: Attacked, what: str) -> None:
    body = BODIES[what].replace(b'"token"', b'"entries"')
    reply = service.post("/streams/table/ours/entries", body, peer=HOME)
    assert reply.status in (400, 413, 422), reply.body
    assert len(reply.body) < 5_000


def test_of_two_values_of_one_name_only_one_counts(service: Attacked) -> None:
    token = service.token("twice").encode()
    assert sign_in(service, b'{"token":"wrong","token":"%s"}' % token, 900).status == 204
    assert sign_in(service, b'{"token":"%s","token":"wrong"}' % token, 901).status == 401


def test_a_body_of_more_than_a_megabyte_is_too_large(service: Attacked) -> None:
    for length in ((), (("content-length", "1000001"),)):
        reply = service.post("/sign-in", b" " * 1_000_001, *length, peer="10.1.1.1")
        assert (reply.status, reply.code, reply.json["limit"]) == (413, "too_large", 1_000_000)


@pytest.mark.parametrize(
    "media", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "application/jsonx"]
)
def test_what_a_form_of_a_foreign_page_can_send_is_no_body(service: Attacked, media: str) -> None:
    reply = service.ask("POST", "/tokens", ("content-type", media), peer=HOME, content=b'{"id":"x","role":"admin"}')
    assert reply.code == "unsupported_media_type"


@pytest.mark.parametrize("query", [*section(LISTS, "queries"), "limit=" + "9" * 5000, "x" * 9000 + "=1"])
def test_no_query_is_more_than_refused(service: Attacked, query: str) -> None:
    reply = service.get(f"/tables?{query}", peer=HOME)
    assert reply.status in (400, 422)
    assert len(reply.body) < 12_000
