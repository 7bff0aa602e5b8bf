"""Rules lead back to where they were broken, in deals that the reader may see."""

from __future__ import annotations

import re
from pathlib import Path

from ledger.access.grants import Grant
from tests.cli.commands import REVOKE
from tests.web.pages.forms import answer_to, shown
from tests.web.serving import NOBODY, VIEWER, ledger_of, serving

BOUND = Grant(token="bound", role="viewer", tables=("ombre-revoke",))


def test_a_rule_leads_to_the_step_where_it_was_broken_and_back(tmp_path: Path) -> None:
    with serving(ledger_of(tmp_path, REVOKE)) as served:
        assert served.service.history.is_level_with(served.service.visible.head.position, within_s=60)
        book = shown(served, "/rules/ombre", who=VIEWER)
        links = re.findall(r'href="(/rules/ombre/OMB-[\d.]+)"', book)
        assert len(links) == 1
        (step,) = re.findall(r'href="(/t/ombre-revoke/1/\d+)"', shown(served, links[0], who=VIEWER))
        assert f'/rules/ombre#{links[0].rpartition("/")[2]}"' in shown(served, step, who=VIEWER)
        for who in (NOBODY, BOUND):
            assert "/rules/ombre/OMB" not in shown(served, "/rules/ombre", who=who)
        assert answer_to(served, "GET", "/rules/ombre/OMB-99.9", VIEWER).status_code == 404
