"""An extension of Sphinx for `docs/conf.py`: search, navigation, the other language, and the theme in Japanese."""

from __future__ import annotations

import re
from gettext import NullTranslations
from html import escape
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup
from sphinx.application import Sphinx
from sphinx.locale import get_translator

from tools.site import editions
from tools.site_search import SiteSearch, Statistics

_IN_JAPANESE: Final = {
    "On this page": "このページの内容",
    "Back to top": "先頭に戻る",
    "Skip to content": "本文へ",
    "Next": "次",
    "Previous": "前",
    "Home": "トップページ",
    "Made with ": "作成に使用: ",
    '<a href="https://www.sphinx-doc.org/">Sphinx</a> and ': '<a href="https://www.sphinx-doc.org/">Sphinx</a>、',
    "Toggle site navigation sidebar": "サイトの目次を開閉",
    "Toggle table of contents sidebar": "このページの目次を開閉",
    "Toggle Light / Dark / Auto color theme": "配色を切り替え(明るい、暗い、自動)",
}
"""The texts of the theme that neither it nor Sphinx has in Japanese."""


class _ThemeInJapanese(NullTranslations):
    def gettext(self, message: str) -> str:
        return _IN_JAPANESE.get(message, message)


def setup(app: Sphinx) -> None:
    """Connect all this with a build."""
    statistics = Statistics()

    def count_words(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: Any) -> None:
        if tree is not None:
            statistics.add(page, tree.astext(), app.builder.indexer.lang)  # type: ignore[attr-defined]

    def write_statistics(app: Sphinx, error: Exception | None) -> None:
        if error is None:
            statistics.write_into(Path(app.outdir) / "searchindex.js")

    app.add_search_language(SiteSearch)
    app.connect("builder-inited", _translate_theme)
    app.connect("html-page-context", _add_navigation, priority=100)  # before the theme reads it
    app.connect("html-page-context", _add_language)
    app.connect("html-page-context", count_words)
    app.connect("build-finished", write_statistics)


def _translate_theme(app: Sphinx) -> None:
    if app.config.language == "ja":
        get_translator().add_fallback(_ThemeInJapanese())


def _add_navigation(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: Any) -> None:
    """Give the theme the navigation in place of Sphinx's, which copies all headings of all pages for each page."""

    def item(other: str) -> str:
        kind = "toctree-l1 current" if other == page else "toctree-l1"
        title = escape(app.env.titles[other].astext())
        return f'<li class="{kind}"><a class="reference internal" href="{context["pathto"](other)}">{title}</a></li>'

    (here,) = (edition for edition in editions() if edition.language == app.config.language)
    parts = []
    for folder, caption in here.captions.items():
        items = [item(other) for other in app.env.toctree_includes["index"] if other.rpartition("/")[0] == folder]
        if items:
            heading = f'<span class="caption-text">{caption}</span>'
            parts.append(f'<p class="caption" role="heading" aria-level="2">{heading}</p><ul>{"".join(items)}</ul>')
    context["toctree"] = lambda **_: "".join(parts)


def _add_language(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: Any) -> None:
    """Link to the page in the other language, or to the front page there; translate the labels of the theme."""
    (there,) = (edition for edition in editions() if edition.language != app.config.language)
    up = "../" * page.count("/") + ("../" if app.config.language == "ja" else f"{there.folder}/")
    address = f"{up}{page if page in there.pages.values() else 'index'}.html"
    context["other_language"] = {"language": there.language, "address": address}
    # The theme asks for no translation of its labels.
    words = _IN_JAPANESE if app.config.language == "ja" else {}
    context["with_labels"] = lambda html: Markup(
        re.sub(r'(?<=aria-label=")[^"]+', lambda label: words.get(label[0], label[0]), html)
    )
