"""The settings of Sphinx for the site; `make site` builds it by `tools/site.py`."""

import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

project = "Trick Ledger"
author = "The trickledger contributors"
version = release = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]

smartquotes = False
extensions = ["myst_parser", "tools.site_theme"]
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
