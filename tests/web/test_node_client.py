"""A client in another language, written from docs/http.md alone, that loses its connection: it loses nothing else."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import ledger
from tests.web.club import REPLAYS
from tests.web.outside import empty_ledger, running, token_for
from tests.web.serving import encoded, ledger_of

CLIENT = Path(__file__).with_name("client.mjs")


def test_a_deal_is_recorded_and_heard_once_though_the_connection_is_lost_three_times(
    tmp_path: Path, ci_requires: Callable[[str], str]
) -> None:
    node = ci_requires("node")
    with ledger.open(ledger_of(tmp_path, REPLAYS / "ombre" / "revoke.toml", name="other.ledger")) as store:
        events = [encoded(row.event()) for row in store.read_stream("table/ombre-revoke")]
        score = encoded(ledger.score(store, "ombre-revoke"))
    path = empty_ledger(tmp_path)
    for event in events:
        event.pop("session", None)
    with running(path, "--no-loopback") as service:
        command = [node, str(CLIENT), service.address, token_for(path, "director"), "ombre-revoke"]
        done = subprocess.run(
            command, input=json.dumps(events), capture_output=True, text=True, check=False, timeout=60
        )
        assert done.returncode == 0, done.stderr
        told = json.loads(done.stdout)
        assert service.faults() == []
    assert sorted(told["lost"]) == ["before the answer", "half of the body", "in the middle of the stream"]
    assert set(told["statuses"]) <= {200, 201}
    with ledger.open(path, access="read") as store:
        rows = store.read_stream("table/ombre-revoke")
        assert [encoded(row.event()) for row in rows] == events
        assert encoded(ledger.score(store, "ombre-revoke")) == score
    assert told["acknowledged"] == [
        {"position": row.position, "version": row.version, "id": row.id} for row in rows[1:]
    ]
    assert [(one["position"], one["id"]) for one in told["heard"]] == [(row.position, row.id) for row in rows]
