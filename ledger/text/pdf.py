"""The page of a session report as PDF, by WeasyPrint: no browser, nothing fetched."""

from __future__ import annotations

from typing import Any
from warnings import catch_warnings, filterwarnings

from ledger.plots.fonts import extra_module, face
from ledger.plots.style import FONT


def page_pdf(page: str) -> bytes:
    """An HTML page as PDF, set in a font that has Japanese signs and the suits of cards."""
    with catch_warnings():
        # It wants HarfBuzz's subsetter; `face` makes that unnecessary.
        filterwarnings("ignore", "HarfBuzz-Subset", DeprecationWarning)
        weasyprint = extra_module("weasyprint")
    fetcher = extra_module("weasyprint.urls").URLFetcher
    fonts: Any = extra_module("weasyprint.text.fonts").FontConfiguration()
    rules = f'{face(set(page))} body {{ font-family: "{FONT}", sans-serif; }}'
    sheet = weasyprint.CSS(string=rules, font_config=fonts, url_fetcher=fetcher(allowed_protocols=["data"]))
    document = weasyprint.HTML(string=page, url_fetcher=fetcher(allowed_protocols=["data"]))
    pdf: bytes = document.write_pdf(stylesheets=[sheet], font_config=fonts)
    return pdf
