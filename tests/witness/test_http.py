"""A witness over HTTP: the statuses of c2sp.org/tlog-witness, and a club that sends its checkpoint through a socket."""

import asyncio
from hashlib import sha256
from pathlib import Path

import httpx
import pytest

from ledger import limits
from ledger.errors import ConflictError, UnreadableError
from ledger.log.signed_note import SecretKey, cosignatures
from ledger.web.witness_app import witness_app
from ledger.witness.client import cosigned_by_service
from ledger.witness.request import with_cosignatures
from tests.cli.commands import CommandLine
from tests.log.proof_builders import beginning, club, signed
from tests.web.in_process import InProcess
from tests.witness.federation import League, Member, forked


def answered(league: League, method: str, path: str, content: bytes = b"") -> httpx.Response:
    async def ask() -> httpx.Response:
        async with httpx.AsyncClient(transport=InProcess(witness_app(league.witness)), base_url="http://w") as client:
            return await client.request(method, path, content=content)

    return asyncio.run(ask())


def test_each_answer_has_the_status_of_the_specification(tmp_path: Path) -> None:
    league = League(tmp_path / "league")
    member = Member(league)

    def status(content: bytes) -> int:
        return answered(league, "POST", "/add-checkpoint", content).status_code

    first = answered(league, "POST", "/add-checkpoint", member.request(0).content())
    assert first.status_code == 200 and first.text.startswith("— league.example/witness ")
    assert with_cosignatures(member.request(0).checkpoint, first.content, [league.witness.witness])
    member.play()
    conflict = answered(league, "POST", "/add-checkpoint", member.request(0).content())
    assert (conflict.status_code, conflict.text) == (409, "17\n")
    assert conflict.headers["content-type"] == "text/x.tlog.size"
    assert status(member.request(17).content()) == 200
    fork = forked(member, 17, 1)
    strangers = (SecretKey(name, bytes(32)) for name in (member.key.name, "else.example/ledger"))
    refused = [member.request(34, fork), member.request(34, forked(member, 17, 2)), member.request(0, club())]
    refused += [member.request(0, beginning(fork, 20)), *(member.request(34, key=key) for key in strangers)]
    assert [status(request.content()) for request in refused] == [422, 422, 409, 409, 403, 404]
    assert [status(b"old 1\n"), status(bytes(limits.WITNESS_REQUEST_BYTES + 1))] == [400, 413]
    assert len(list((league.folder / "evidence").iterdir())) == 3
    refusal = answered(league, "POST", "/add-checkpoint", member.request(34, fork).content())
    assert "equivocation" in refusal.text and str(tmp_path) not in refusal.text
    newest = answered(league, "GET", f"/{sha256(member.key.name.encode()).hexdigest()}/checkpoint")
    assert newest.text == str(league.witness.newest(member.key.name))
    assert answered(league, "GET", "/lists/2026-01-04").content.startswith(b"trickledger-list@v1\n\nleague.example")
    nowhere = ("/lists/2026-01-05", "/lists/x", f"/{'0' * 64}/checkpoint")
    assert {answered(league, "GET", path).status_code for path in nowhere} == {404}
    (league.folder / "witness.store").unlink()
    assert status(member.request(34).content()) == 503


def test_a_club_has_its_checkpoints_cosigned_through_a_socket(tmp_path: Path) -> None:
    league = League(tmp_path / "league")
    member, witnesses = Member(league), [league.witness.witness]
    process = CommandLine(tmp_path).started("witness", league.folder, "serve", "--port", 0)
    try:
        url = process.stdout.readline().decode().split()[-1]
        for _ in range(2):  # the second time after an answer with the known size
            made = cosigned_by_service(url, member.store, signed(member.store, member.key), witnesses)
            assert cosignatures(made.note, witnesses)
            member.play()
        with pytest.raises(ConflictError, match="has cosigned 34 entries, but the checkpoint is for 17"):
            small = beginning(member.store, 17)
            cosigned_by_service(url, small, signed(small, member.key), witnesses)
        with pytest.raises(ConflictError, match=r"HTTP 422\): .*equivocation"):
            fork = forked(member, 17, 2)
            cosigned_by_service(url, fork, signed(fork, member.key), witnesses)
    finally:
        process.terminate()
        process.communicate(timeout=60)
    with pytest.raises(UnreadableError, match="does not answer"):
        cosigned_by_service(url, member.store, signed(member.store, member.key), witnesses)
