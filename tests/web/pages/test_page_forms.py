"""Forms and addresses of pages as an attacker sends them, and the pages of tokens."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from markupsafe import escape

from ledger.web.pages.redirects import own_address
from tests.web.attacking import Attacked, attacked
from tests.web.lists import rows_of
from tests.web.pages.forms import hidden_in, text_of
from tests.web.serving import OMBRE, ledger_with

HOSTILE = [
    "//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", "/%0d%0aset-cookie:a=b/../..",
    "\\\\evil", "/\t/evil.example", "", "/sign-in", "/api/v1/sign-out", "tables", "/\u2028x",
]  # fmt: skip


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Attacked]:
    with attacked(ledger_with(tmp_path, {"ours": OMBRE, "theirs": OMBRE})) as one:
        yield one


@pytest.mark.parametrize("address", HOSTILE)
def test_nobody_is_led_to_another_host(service: Attacked, address: str) -> None:
    secret = service.token("ann")
    reply = service.browse("/sign-in", form={"token": secret, "next": address})
    assert reply.status == 303
    to = reply.header("location") or ""
    assert to == "/" or (to.startswith("/%") and own_address(to) == to)


@pytest.mark.parametrize("address", ["/tables?q=a%20b", "/t/ours/1/12?seat=1", "/record/ours#now"])
def test_who_signs_in_comes_back_to_where_he_was(service: Attacked, address: str) -> None:
    reply = service.browse("/sign-in", form={"token": service.token("ann"), "next": address})
    assert reply.header("location") == address


def test_a_code_of_one_table_leads_to_its_recorder_however_it_is_typed(service: Attacked) -> None:
    for tables, role, to in (
        (("ours",), "recorder", "/record/ours"),
        (("ours", "other"), "recorder", "/record"),
        (("ours",), "viewer", "/"),
    ):
        code = service.code(*tables, role=role)
        wide = "".join(chr(ord(digit) + 0xFEE0) for digit in code)
        for name, typed in {"Ann": f"{code[:4]} {code[4:]}", "葵": wide, "Zoë": f"{wide[:4]}ー{wide[4:]}"}.items():
            reply = service.browse("/sign-in", form={"code": typed, "name": name})
            assert (reply.status, reply.header("location")) == (303, to)
            assert "HttpOnly; SameSite=Strict" in reply.all("set-cookie")[0]


@pytest.mark.parametrize(
    "form", [{"code": "12345678"}, {"token": "trk_" + "a" * 43 + "_00000000"}, {"code": "x' OR 1"}]
)
def test_a_refused_secret_is_not_logged_and_only_a_code_stays_typed(service: Attacked, form: dict[str, str]) -> None:
    reply = service.browse("/sign-in", form={**form, "name": "<b>Ann"})
    assert (reply.status, reply.header("cache-control")) == (401, "no-store")
    ((field, secret),) = form.items()
    assert secret.encode() not in service.logged
    shown = str(escape(secret)).encode() in reply.body
    assert shown == (field == "code")
    assert b"<b>Ann" not in reply.body and b"&lt;b&gt;Ann" in reply.body


def test_an_ended_and_a_revoked_code_get_different_messages(service: Attacked) -> None:
    revoked = service.code("ours", id="tonight")
    service.access.revoke("tonight")
    reply = service.browse("/sign-in", form={"code": revoked})
    assert (reply.status, b"was withdrawn" in reply.body) == (410, True)


@pytest.mark.parametrize(("path", "form"), rows_of("forms"))
def test_a_form_of_another_site_does_nothing(service: Attacked, path: str, form: dict[str, str]) -> None:
    cookie, csrf = service.signed_in(service.token("ann", "admin"))
    page = service.browse("/record/ours/close", cookie=cookie).body.decode()
    assert hidden_in(page, "csrf") == csrf
    without_origin = service.ask(
        "POST", path, ("content-type", "application/x-www-form-urlencoded"), cookie=cookie, is_page=True,
        content=urlencode({**form, "csrf": csrf}).encode(),
    )  # fmt: skip
    assert without_origin.status == 403
    for headers, form_sent in (
        ([("origin", "https://evil.example")], {**form, "csrf": csrf}),
        ([], form),
        ([], {**form, "csrf": csrf[1:] + csrf[:1]}),
        ([("sec-fetch-site", "cross-site")], {**form, "csrf": csrf}),
    ):
        reply = service.browse(path, *headers, form=form_sent, cookie=cookie)
        assert (reply.status, b"csrf" in reply.body) == (403, True)
    after = service.browse("/record/ours/close", cookie=cookie).body.decode()
    assert hidden_in(after, "version") == hidden_in(page, "version"), "nothing was recorded"
    assert service.browse(path, form={**form, "csrf": csrf}, cookie=cookie).status in (200, 303)
    assert len(service.access.tokens()) == 1 + (path == "/table-cards")


def test_a_card_is_for_its_table_and_ends_with_who_made_it(service: Attacked) -> None:
    cookie, csrf = service.signed_in(service.token("ann", "admin"))
    form = {"tables": "ours new-one", "hours": "4", "address": "http://192.168.1.20:8750", "csrf": csrf}
    reply = service.browse("/table-cards", form=form, cookie=cookie)
    assert reply.status == 200 and reply.header("cache-control") == "no-store"
    made = {one.tables: one for one in service.access.tokens() if one.kind == "code"}
    assert {tables: one.may_open for tables, one in made.items()} == {("ours",): False, ("new-one",): True}
    assert {one.made_by for one in made.values()} == {"ann"}
    assert b"trk_" not in reply.body


@pytest.mark.parametrize(("tables", "address", "field"), rows_of("wrong fields of table cards"))
def test_a_wrong_field_of_table_cards_gets_a_message(service: Attacked, tables: str, address: str, field: str) -> None:
    cookie, csrf = service.signed_in(service.token("ann", "admin"))
    reply = service.browse("/table-cards", form={"tables": tables, "address": address, "csrf": csrf}, cookie=cookie)
    assert (reply.status, f'href="#{field}"'.encode() in reply.body) == (422, True)
    assert b"<script>" not in reply.body
    assert [one.kind for one in service.access.tokens()] == ["token"]


@pytest.mark.parametrize("at", rows_of("hostile addresses of pages"))
def test_nothing_that_an_address_says_is_run(service: Attacked, at: str) -> None:
    reply = service.browse(at, token=service.token("ann"))
    assert reply.status in (200, 404, 422)
    assert b"<script>" not in reply.body and b'""><' not in reply.body


@pytest.mark.parametrize(("at", "is_known", "status", "link"), rows_of("ways out"))
def test_refused_and_missing_pages_lead_on(service: Attacked, at: str, is_known: bool, status: int, link: str) -> None:
    reply = service.browse(at, token=service.token("ann") if is_known else None)
    assert (reply.status, link.encode() in reply.body) == (status, True)


def test_a_passing_refusal_reloads_by_itself(service: Attacked) -> None:
    service.service.is_closing = True
    try:
        reply = service.browse("/tables?q=a", token=service.token("ann"))
    finally:
        service.service.is_closing = False
    assert reply.status == 503
    assert b'<meta http-equiv="refresh" content="5; url=/tables?q=a">' in reply.body


SECRET = re.compile(rb"trk_[0-9A-Za-z]{43}_[0-9a-f]{8}")
FORM = {"name": "Zoë’s phone", "role": "recorder", "tables": "ours", "address": "http://192.168.1.20"}


@pytest.fixture
def admin(service: Attacked) -> str:
    return service.token("the-admin", "admin")


def secrets_in(body: bytes) -> list[str]:
    return list(dict.fromkeys(one.decode() for one in SECRET.findall(body)))


def test_a_token_is_shown_once_and_nowhere_else(service: Attacked, admin: str) -> None:
    made = service.browse("/tokens", form=FORM, token=admin)
    (secret,) = secrets_in(made.body)
    assert b"/sign-in#" + secret.encode() in made.body
    assert (made.status, made.header("cache-control")) == (200, "no-store")
    me = service.get("/me", token=secret).json
    assert (me["token"], me["role"], me["tables"]) == ("zoes-phone", "recorder", ["ours"])
    listed = service.browse("/tokens", token=admin)
    assert b"zoes-phone" in listed.body and secret.encode() not in listed.body + b"".join(service.log)


@pytest.mark.parametrize(("wrong", "message"), rows_of("wrong fields of a token"))
def test_a_wrong_field_keeps_the_others(service: Attacked, admin: str, wrong: dict[str, str], message: str) -> None:
    reply = service.browse("/tokens", form=FORM | wrong, token=admin)
    page = reply.body.decode()
    assert (reply.status, SECRET.search(reply.body)) == (422, None)
    assert message in text_of(page) and "<title>Error: " in page
    (field,) = wrong
    assert f'href="#{"tables" if field == "role" else field}"' in page
    assert "192.168.1.20" in page or field == "address"
    assert len(service.access.tokens()) == 1


def test_withdrawing_works_at_once_and_needs_confirmation(service: Attacked, admin: str) -> None:
    cookie, _ = service.signed_in(service.token("zoe", "recorder"))
    question = service.browse("/tokens/zoe/revoke", token=admin)
    assert "at once" in text_of(question.body.decode())
    assert service.get("/me", cookie=cookie).status == 200
    assert service.browse("/tokens/zoe/revoke", form={}, token=admin).status == 303
    assert service.get("/me", cookie=cookie).status == 410
    assert b">zoe" not in service.browse("/tokens", token=admin).body
    assert b">zoe" in service.browse("/tokens?ended=true", token=admin).body
    assert service.browse("/tokens/nobody/revoke", token=admin).status == 404


def test_each_seat_gets_its_own_link_and_a_second_sheet_new_ones(service: Attacked, admin: str) -> None:
    form = {"table": "ours", "ends": "days-1", "address": "http://192.168.1.20"}
    sheets = [secrets_in(service.browse("/tokens/seats", form=form, token=admin).body) for _ in range(2)]
    assert len({*sheets[0], *sheets[1]}) == 6
    rights = [service.get("/me", token=secret).json for secret in sheets[1]]
    assert [(one["seat"], one["role"], one["tables"]) for one in rights] == [
        (seat, "viewer", ["ours"]) for seat in range(3)
    ]
    assert service.browse("/tokens/seats", form=form | {"table": "nowhere"}, token=admin).status == 422
