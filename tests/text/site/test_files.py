"""What pages load: remarks for readers of the source stay at home, and nothing else is lost."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from ledger.text.site.files import STYLES, site_files

SCRIPTS = sorted(one.name for one in (files("ledger.text.site") / "scripts").iterdir() if one.name.endswith(".js"))


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_is_sent_with_all_its_lines_but_remarks(name: str) -> None:
    source = (files("ledger.text.site") / "scripts" / name).read_text(encoding="utf-8").splitlines()
    sent = site_files()[name].content.decode().splitlines()
    assert len(sent) == len(source)
    for written, told in zip(source, sent, strict=True):
        if told != written:
            assert told == ""
            assert written.strip().startswith(("//", "/**"))


def test_the_style_sheet_is_sent_with_all_its_rules() -> None:
    sources = sorted((files("ledger.text.site") / "styles").iterdir(), key=lambda one: one.name)
    written = "\n".join(one.read_text(encoding="utf-8") for one in sources)
    sent = site_files()[STYLES].content.decode()
    assert "/*" not in sent
    assert sent.count("{") == sent.count("}") == re.sub(r"/\*.*?\*/", "", written, flags=re.S).count("{")
