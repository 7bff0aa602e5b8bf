"""The words by which the site's search finds a page: English stems, and pairs of Japanese characters.

Japanese has no spaces, and a question is hardly ever divided as the page is; pairs of neighbours need no division.
`site_search.js` divides the question in the same way and ranks the pages.
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import Final

from sphinx.search.en import SearchEnglish

_CJK: Final = re.compile(r"[\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff]+")
_WORD: Final = re.compile(r"\w+")
_ACCENTS: Final = re.compile(r"[\u0300-\u036f]")


class SiteSearch(SearchEnglish):
    """The search language of both editions."""

    lang = "site"
    js_splitter_code = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")

    def split(self, input: str) -> list[str]:  # noqa: A002
        """Return the words of a text, without accents, and the pairs of its Japanese characters."""
        plain = unicodedata.normalize("NFKC", _ACCENTS.sub("", unicodedata.normalize("NFKD", input)))
        plain = plain.replace("ł", "l").replace("Ł", "l")
        runs = [match[0] for match in _CJK.finditer(plain)]
        pairs = [run[at : at + 2] for run in runs for at in range(max(1, len(run) - 1))]
        return _WORD.findall(_CJK.sub(" ", plain)) + pairs
