"""The words by which the site's search finds a page: English stems, and pairs of Japanese characters.

Japanese has no spaces, and a question is hardly ever divided as the page is; pairs of neighbours need no division.
`site_search.js` divides the question in the same way and ranks the pages.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter, defaultdict
from functools import cache
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
    stopwords = SearchEnglish.stopwords | {"can", "every", "get", "may", "must", "need", "please", "want", "will"}

    def split(self, input: str) -> list[str]:  # noqa: A002
        """Return the words of a text, without accents, and the pairs of its Japanese characters."""
        plain = unicodedata.normalize("NFKC", _ACCENTS.sub("", unicodedata.normalize("NFKD", input)))
        plain = plain.replace("ł", "l").replace("Ł", "l")
        runs = [match[0] for match in _CJK.finditer(plain)]
        pairs = [run[at : at + 2] for run in runs for at in range(max(1, len(run) - 1))]
        return _WORD.findall(_CJK.sub(" ", plain)) + pairs

    @cache  # noqa: B019  # one instance an edition; each page has mostly the words of the others
    def stem(self, word: str) -> str:
        """Return the English stem of a word; a pair of Japanese characters is its own."""
        return super().stem(word)


class Statistics:
    """How often each page has each word, and how many words it has; Sphinx's index has only which pages have a word."""

    def __init__(self) -> None:
        self._counts: dict[str, Counter[str]] = {}

    def add(self, page: str, text: str, language: SiteSearch) -> None:
        """Count the words of a page."""
        self._counts[page] = Counter(language.stem(word) for word in language.split(text))

    def write_into(self, index: Path) -> None:
        """Put the statistics before Sphinx's index, which numbers the pages by name; once is left out."""
        words: dict[str, dict[int, int]] = defaultdict(dict)
        for number, (_, counts) in enumerate(sorted(self._counts.items())):
            for word, times in counts.items():
                if times > 1:
                    words[word][number] = times
        sizes = [counts.total() for _, counts in sorted(self._counts.items())]
        made = json.dumps({"sizes": sizes, "counts": words}, separators=(",", ":"))
        index.write_text(f"Search.statistics={made};\n{index.read_text(encoding='utf-8')}", encoding="utf-8")
