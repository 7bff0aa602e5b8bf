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
    is_within = False
    for written, told in zip(source, sent, strict=True):
        is_remark = is_within or written.strip().startswith(("//", "/**"))
        is_within = (is_within or written.strip().startswith("/**")) and not written.rstrip().endswith("*/")
        assert told == ("" if is_remark else written)


def test_the_style_sheet_is_sent_with_all_its_rules() -> None:
    sources = sorted((files("ledger.text.site") / "styles").iterdir(), key=lambda one: one.name)
    written = "\n".join(one.read_text(encoding="utf-8") for one in sources)
    sent = site_files()[STYLES].content.decode()
    assert "/*" not in sent
    assert sent.count("{") == sent.count("}") == re.sub(r"/\*.*?\*/", "", written, flags=re.S).count("{")
