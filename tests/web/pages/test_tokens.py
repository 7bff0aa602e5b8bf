"""The pages of tokens: made, shown once, revoked, and links to seats."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.attacking import Attacked, attacked
from tests.web.lists import rows_of
from tests.web.pages.forms import text_of
from tests.web.serving import OMBRE, ledger_with

SECRET = re.compile(rb"trk_[0-9A-Za-z]{43}_[0-9a-f]{8}")
FORM = {"name": "Zoë’s phone", "role": "recorder", "tables": "ours", "address": "http://192.168.1.20"}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Attacked]:
    with attacked(ledger_with(tmp_path, {"ours": OMBRE, "theirs": OMBRE})) as one:
        yield one


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
def test_a_wrong_field_has_its_message_and_the_others_stay_filled_in(
    service: Attacked, admin: str, wrong: dict[str, str], message: str
) -> None:
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
