"""The settings of Sphinx for the site; `make site` builds it by `tools/site.py`."""

import sys
import tomllib
from gettext import NullTranslations
from html import escape
from pathlib import Path

from sphinx.locale import get_translator

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tools.site import editions  # noqa: E402
from tools.site_search import SiteSearch, Statistics  # noqa: E402

project = "Trick Ledger"
author = "The trickledger contributors"
version = release = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]

smartquotes = False
extensions = ["myst_parser"]
myst_heading_anchors = 6
# Pages of the other language, which this build does not know (`tools/site.py`).
myst_url_schemes = {"http": None, "https": None, "mailto": None, "site": "{{path}}#{{fragment}}"}
# Blocks of JSON have comments and dots on purpose. The glossary has a third-level heading for each term; the site shows
# them at the second level.
suppress_warnings = ["misc.highlighting_failure", "myst.header"]

html_theme = "furo"
html_title = f"{project} {version}"
html_favicon = str(ROOT / "ledger" / "text" / "site" / "images" / "icon.svg")
html_theme_options = {"top_of_page_buttons": []}
html_search_language = "site"
html_show_copyright = html_show_sourcelink = html_copy_source = False
html_use_index = False
templates_path = ["_templates"]
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/language.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}

FURO_IN_JAPANESE = {
    "On this page": "このページの内容",
    "Back to top": "先頭に戻る",
    "Skip to content": "本文へ",
    "Next": "次",
    "Previous": "前",
    "Home": "トップページ",
    "Made with ": "作成に使用: ",
    '<a href="https://www.sphinx-doc.org/">Sphinx</a> and ': '<a href="https://www.sphinx-doc.org/">Sphinx</a>、',
}
"""The texts of the theme that neither it nor Sphinx has in Japanese."""


class ThemeInJapanese(NullTranslations):
    def gettext(self, message):
        return FURO_IN_JAPANESE.get(message, message)


def add_japanese_of_theme(app):
    if app.config.language == "ja":
        get_translator().add_fallback(ThemeInJapanese())


def add_other_language(app, pagename, templatename, context, doctree):
    """Let each page link to the same page in the other language, or to its front page where there is none."""
    (there,) = (edition for edition in editions() if edition.language != app.config.language)
    page = pagename if pagename in there.pages.values() else "index"
    up = "../" * pagename.count("/") + ("../" if app.config.language == "ja" else f"{there.folder}/")
    context["other_language"] = {"language": there.language, "address": f"{up}{page}.html"}


def add_navigation(app, pagename, templatename, context, doctree):
    """Give the theme the navigation in place of Sphinx's, which copies all headings of all pages for each page."""

    def item(page):
        kind = "toctree-l1 current" if page == pagename else "toctree-l1"
        title = escape(app.env.titles[page].astext())
        return f'<li class="{kind}"><a class="reference internal" href="{context["pathto"](page)}">{title}</a></li>'

    (here,) = (edition for edition in editions() if edition.language == app.config.language)
    parts = []
    for folder, caption in here.captions.items():
        items = [item(page) for page in app.env.toctree_includes["index"] if page.rpartition("/")[0] == folder]
        if items:
            heading = f'<span class="caption-text">{caption}</span>'
            parts.append(f'<p class="caption" role="heading" aria-level="2">{heading}</p><ul>{"".join(items)}</ul>')
    context["toctree"] = lambda **_: "".join(parts)


statistics = Statistics()


def count_words(app, pagename, templatename, context, doctree):
    if doctree is not None:
        statistics.add(pagename, doctree.astext(), app.builder.indexer.lang)


def write_counts(app, exception):
    if exception is None:
        statistics.write_into(Path(app.outdir) / "searchindex.js")


def setup(app):
    app.add_search_language(SiteSearch)
    app.connect("builder-inited", add_japanese_of_theme)
    app.connect("html-page-context", add_navigation, priority=100)
    app.connect("html-page-context", add_other_language)
    app.connect("html-page-context", count_words)
    app.connect("build-finished", write_counts)
