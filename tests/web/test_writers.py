"""Phones that signed in with one code: each is a recorder of its own, whatever names were typed."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.contracts.log_builders import an_id
from tests.web.attacking import Attacked, Reply, attacked
from tests.web.serving import OMBRE, ledger_with

ENTRIES = "/streams/table/ours/entries"
PASS = {"type": "bid_made", "seat": 1, "call": "pass"}


class Phone(NamedTuple):
    service: Attacked
    cookie: str
    csrf: str

    def get(self, target: str, **how: Any) -> Reply:
        return self.service.get(target, cookie=self.cookie, **how)

    def browse(self, target: str) -> str:
        return self.service.browse(target, cookie=self.cookie).body.decode()

    def post(self, target: str, body: Any) -> Reply:
        return self.service.post(target, body, cookie=self.cookie, csrf=self.csrf)

    def record(self, id: str, event: Any, version: int | None = None) -> Reply:
        return self.post(ENTRIES, {"entries": [{"id": id, "event": event}], "expected_version": version})

    def correct(self, id: str, version: int, expected_version: int, action: str = "strike", **more: Any) -> Reply:
        correction = {"id": id, "version": version, "action": action, "reason": "a slip", **more}
        return self.post("/tables/ours/corrections", {**correction, "expected_version": expected_version})

    @property
    def name(self) -> str | None:
        name: str | None = self.get("/me").json["name"]
        return name


@pytest.fixture
def club(tmp_path: Path) -> Path:
    return ledger_with(tmp_path, {"ours": OMBRE}, by="desk")


@pytest.fixture
def service(club: Path) -> Iterator[Attacked]:
    with attacked(club) as one:
        yield one


def phones(service: Attacked, *names: str | None) -> list[Phone]:
    code = service.code("ours")
    return [Phone(service, *service.signed_in(code, name)) for name in names]


def noted(text: str) -> dict[str, str]:
    return {"type": "noted", "text": text}


NAMES = [("Ada", "Ada"), (None, None), ("Ada", None), ("Ada", "Ben")]


@pytest.mark.parametrize("names", NAMES)
def test_a_phone_reads_no_hidden_text_of_another_one(service: Attacked, names: tuple[str | None, ...]) -> None:
    hers, his = phones(service, *names)
    assert hers.record(an_id(1), noted("Ben holds SK")).status == 201
    dispute = {"id": an_id(2), "deal": 1, "text": "Ben holds SK"}
    assert hers.post("/tables/ours/disputes", dispute).status == 201
    for target in (ENTRIES, "/tables/ours/disputes", f"{ENTRIES}?after_version=4"):
        assert b"holds SK" in hers.get(target).body
        assert b"holds SK" not in his.get(target).body
    assert hers.get("/tables/ours/disputes/6/case").status == 200
    assert his.get("/tables/ours/disputes/6/case").status == 403
    assert "holds SK" in hers.browse("/record/ours/deal")
    assert "holds SK" not in his.browse("/record/ours/deal")


@pytest.mark.parametrize("names", NAMES)
def test_an_id_of_another_phone_reveals_nothing_recorded(service: Attacked, names: tuple[str | None, ...]) -> None:
    hers, his = phones(service, *names)
    assert hers.record(an_id(1), noted("Ben holds SK")).status == 201
    strike = {"version": 4, "action": "strike", "reason": "x", "expected_version": 5}
    answers = []
    for guess in ("Ben holds SK", "Ben holds SQ"):
        entry = {"id": an_id(1), "event": noted(guess)}
        batch = {"stream": "table/ours", "entries": [entry]}
        replies = [
            his.post(ENTRIES, {"entries": [entry]}),
            his.post("/batches", {"batches": [batch]}),
            his.post("/tables/ours/disputes", {"id": an_id(1), "deal": 1, "text": guess}),
            his.post("/tables/ours/corrections", {"id": an_id(1), **strike}),
            his.post("/tables/ours/corrections", {"id": an_id(1), **strike, "dry_run": True}),
        ]
        assert [(reply.status, reply.code) for reply in replies] == [(409, "id_used")] * 5
        answers.append([(reply.headers, reply.body) for reply in replies])
    assert answers[0] == answers[1], "whether the guess is right"
    assert hers.record(an_id(1), noted("Ben holds SK")).status == 200


def test_a_bearer_token_is_another_writer_than_who_signed_in_by_it(service: Attacked) -> None:
    token = service.token("table-1", "recorder")
    phone = Phone(service, *service.signed_in(token))
    assert service.post(ENTRIES, {"entries": [{"id": an_id(1), "event": noted("he holds SK")}]}, token=token).status
    assert b"holds SK" in service.get(ENTRIES, token=token).body
    assert b"holds SK" not in phone.get(ENTRIES).body
    assert phone.record(an_id(1), noted("he holds SK")).code == "id_used"
    assert phone.correct(an_id(2), 5, 5).code == "forbidden"


def test_one_phone_goes_on_where_another_stopped_and_takes_back_only_its_own(service: Attacked) -> None:
    hers, his = phones(service, "Ada", "Ada")
    assert (hers.name, his.name) == ("Ada", "Ada 2")
    assert hers.record(an_id(1), PASS, 4).status == 201
    assert his.record(an_id(2), {**PASS, "seat": 2}, 5).status == 201
    refused = his.correct(an_id(3), 5, 6)
    assert (refused.status, refused.code) == (403, "forbidden")
    assert "entry 5 was recorded by code-1/Ada, and recorders may undo only their own entries" in refused.json["detail"]
    assert his.correct(an_id(4), 5, 6, dry_run=True).status == 403
    assert his.correct(an_id(5), 6, 6).status == 201
    assert hers.correct(an_id(6), 6, 7, "restore").status == 403
    assert hers.correct(an_id(7), 5, 7).status == 201


def test_no_page_offers_to_take_back_what_another_phone_recorded(service: Attacked) -> None:
    hers, his = phones(service, "Ada", "Ada")
    assert hers.record(an_id(1), PASS, 4).status == 201
    for page in ("/record/ours", "/record/ours/now"):
        assert 'id="undo"' in hers.browse(page)
        assert 'id="undo"' not in his.browse(page)
    assert 'name="strike" value="5"' in hers.browse("/record/ours/deal")
    page = his.browse("/record/ours/deal")
    assert 'name="strike"' not in page
    assert "entry 5, Ada" in page
    assert "recorded on another phone: undo them there, or ask a director" in page


def test_after_the_service_began_anew_a_phone_is_who_it_was(club: Path) -> None:
    with attacked(club) as service:
        hers, his = phones(service, "Ada", "Ada")
        assert hers.record(an_id(1), noted("Ben holds SK")).status == 201
    with attacked(club) as service:
        hers, his = (one._replace(service=service) for one in (hers, his))
        assert hers.record(an_id(1), noted("Ben holds SK")).status == 200
        assert his.record(an_id(1), noted("Ben holds SK")).code == "id_used"
        assert b"holds SK" in hers.get(ENTRIES).body
        assert b"holds SK" not in his.get(ENTRIES).body


def test_a_phone_that_signs_in_once_more_goes_on_as_the_same(service: Attacked) -> None:
    code = service.code("ours")
    first = Phone(service, *service.signed_in(code, "Ada"))
    assert first.record(an_id(1), noted("Ben holds SK")).status == 201
    again = Phone(service, *service.signed_in(code, "Ada", cookie=first.cookie))
    assert again.record(an_id(1), noted("Ben holds SK")).status == 200
    assert (again.name, first.get("/me").status) == ("Ada", 401)


def typed_in(service: Attacked, code: str, name: str, **how: Any) -> tuple[str, str | None]:
    form = {"code": code, "name": name, "next": "/t/ours"}
    reply = service.browse("/sign-in", form=form, **how)
    assert reply.status == 303, reply.body
    there = reply.header("location") or ""
    page = service.browse(there, cookie=reply.all("set-cookie")[0].partition(";")[0])
    match = re.search("You are signed in as ([^<]*) and may", page.body.decode())
    assert match is None or "the number distinguishes your entries" in page.body.decode()
    assert match is None or 'href="/t/ours"' in page.body.decode()
    return there, None if match is None else match[1]


def test_a_numbered_name_is_shown_before_going_on(service: Attacked) -> None:
    code = service.code("ours")
    assert typed_in(service, code, "Zoe\u0308") == ("/t/ours", None)
    assert typed_in(service, code, "Zoë") == ("/sign-in?next=%2Ft%2Fours&numbered=true", "Zoë 2")
    known, _ = service.signed_in(code, "Zoë")
    assert typed_in(service, code, "Zoë", cookie=known) == ("/t/ours", None)
