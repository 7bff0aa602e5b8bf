"""The site of docs/ builds without a warning, needs nothing from outside, and its search finds the page of a task."""

import fcntl
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import quote, unquote

import pytest

from tests.web.lists import lines_in
from tools.site import ROOT, editions, source_of

ADDRESS: Final = re.compile(r'<(\w+)\b[^>]*?\b(?:href|src|srcset|action|data|poster)="([^"]*)"')
LOADING: Final = re.compile(r"""(?:url\(|@import|fetch\(|import\(?|\.src\s*=)\s*['"`]?(?:https?:)?//""")


class Task(NamedTuple):
    """A question of a person in a language, and the page that answers it."""

    person: str
    language: str
    question: str
    page: str


TASKS: Final = [Task(*map(str.strip, line.split("|"))) for line in lines_in(Path(__file__).with_name("tasks.txt"))]


class Site(NamedTuple):
    """The built site: its folder, and the HTML of its pages."""

    folder: Path
    pages: dict[Path, str]

    def page(self, name: str) -> str:
        return self.pages[self.folder / name]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Site:
    """Build the site, once for all workers."""
    folder = tmp_path_factory.getbasetemp()
    folder = (folder if worker_id == "master" else folder.parent) / "site"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            build = [sys.executable, "-m", "tools.site", str(folder)]
            made = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False)
            if made.returncode or made.stderr:
                pytest.fail(f"`make site` fails:\n{made.stdout}{made.stderr}", pytrace=False)
    return Site(folder, {path: path.read_text(encoding="utf-8") for path in folder.rglob("*.html")})


def test_every_page_of_the_docs_is_in_the_navigation(site: Site) -> None:
    for edition in editions():
        navigation = site.page(f"{edition.folder}/index.html".lstrip("/")).partition("<article")[0]
        listed = set(re.findall(r'class="reference internal" href="([^"#]+)\.html"', navigation))
        assert listed >= set(edition.pages.values()) - {"index"}, edition.language


def test_every_link_inside_leads_to_a_page_and_a_place_on_it(site: Site) -> None:
    ids = {path: set(re.findall(r'\bid="([^"]+)"', html)) for path, html in site.pages.items()}
    dead = set()
    for path, html in site.pages.items():
        for _, address in ADDRESS.findall(html):
            if not re.match(r"[a-z]+:|#?$", address):
                name, _, anchor = unquote(address).partition("#")
                target = (path.parent / name.partition("?")[0]).resolve() if name else path
                if not target.is_file() or (anchor and anchor not in ids[target]):
                    dead.add(f"{path.relative_to(site.folder)}: {address}")
    assert not dead


def test_no_page_loads_anything_from_outside(site: Site) -> None:
    outside = {
        f"{path.relative_to(site.folder)}: {address}"
        for path, html in site.pages.items()
        for tag, address in ADDRESS.findall(html)
        if tag != "a" and re.match(r"(?:https?:)?//", address)
    }
    for ending in ("css", "js", "html"):
        for path in site.folder.rglob(f"*.{ending}"):
            outside |= {f"{path.relative_to(site.folder)}: {it[0]}" for it in LOADING.finditer(path.read_text("utf-8"))}
    assert not outside


def test_each_page_links_to_the_other_language(site: Site) -> None:
    assert 'href="../ja/rules/kop.html" hreflang="ja"' in site.page("rules/kop.html")
    assert 'href="../../rules/kop.html" hreflang="en"' in site.page("ja/rules/kop.html")
    assert 'href="../ja/index.html" hreflang="ja"' in site.page("reference/http.html")


def test_the_id_of_a_rule_leads_to_the_rulebook_of_the_language(site: Site) -> None:
    for folder in ("", "ja/"):
        assert 'href="../rules/ombre.html#OMB-7.7"' in site.page(f"{folder}reference/glossary.html")
    assert '<span id="KOP-2.1">' in site.page("rules/kop.html")
    assert '<span id="KOP-2.1">' in site.page("ja/rules/kop.html")


def test_links_lead_where_the_site_has_the_page(tmp_path: Path) -> None:
    """A page, the other language, a file that goes along, a source file as text; code and other hosts stay."""
    english, _ = made = editions()
    page = tmp_path / "page.md"
    up = "../" * (len(tmp_path.parts) - 1) + str(ROOT).lstrip("/")
    page.write_text(
        f"[a]({up}/docs/terms.md#x) [b]({up}/docs/ja/index.md) [c]({up}/schemas/score.json) [d]({up}/Makefile)\n"
        "`[e](none.md)` [f](https://example.org/)\n```text\n[g](none.md)\n```\n一つの\n文。\n",
        encoding="utf-8",
    )
    text, files = source_of(page, "how-to/page", english, made)
    assert text == (
        "[a](../terms.md#x) [b](site:../ja/index.html) [c](../schemas/score.json) `d`\n"
        "`[e](none.md)` [f](https://example.org/)\n```text\n[g](none.md)\n```\n一つの文。\n"
    )
    assert files == {"schemas/score.json": ROOT / "schemas" / "score.json"}
    page.write_text("[g](none.md)", encoding="utf-8")
    with pytest.raises(FileNotFoundError, match=r"none\.md leads nowhere"):
        source_of(page, "how-to/page", english, made)


def test_the_first_three_results_have_the_page_of_each_task(site: Site, ci_requires: Callable[[str], str]) -> None:
    node = ci_requires("node")
    missed = []
    for edition in editions():
        tasks = [task for task in TASKS if task.language == edition.language]
        ask = [node, str(Path(__file__).with_name("search.js")), str(site.folder / edition.folder)]
        questions = json.dumps([task.question for task in tasks])
        answers = json.loads(subprocess.run(ask, input=questions, capture_output=True, text=True, check=True).stdout)
        pairs = zip(tasks, answers, strict=True)
        missed += [(task.question, task.page, answer[:3]) for task, answer in pairs if task.page not in answer[:3]]
    assert not missed


def test_the_search_works_on_a_page_opened_as_a_file(site: Site, ci_requires: Callable[..., str]) -> None:
    chromium = ci_requires("chromium-headless-shell", "chromium")
    address = f"{(site.folder / 'ja/search.html').as_uri()}?q={quote('コップの規則集')}"
    opened = [chromium, "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000", "--dump-dom", address]
    shown = subprocess.run(opened, capture_output=True, text=True, check=True).stdout
    results = re.search(r'<ul role="list" class="search">(.*?)</ul>', shown, re.DOTALL)
    assert results and 'href="rules/kop.html' in results[1].partition("</li>")[0]
