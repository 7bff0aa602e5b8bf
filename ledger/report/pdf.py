"""The page of a session report as PDF, by WeasyPrint: no browser, nothing fetched but the font from its package."""

from __future__ import annotations

from typing import Any

from ledger.plots.extra import extra_module, font_file
from ledger.plots.style import FONT


def page_pdf(page: str) -> bytes:
    """An HTML page as PDF, set in a font that has Japanese signs and the suits of cards."""
    weasyprint = extra_module("weasyprint")
    fonts: Any = extra_module("weasyprint.text.fonts").FontConfiguration()
    font = font_file().as_uri()

    def fetch(url: str, **_: Any) -> Any:
        if url != font:
            raise ValueError(f"a report needs nothing from {url}")
        return {"string": font_file().read_bytes(), "mime_type": "font/otf"}

    face = f'@font-face {{ font-family: "{FONT}"; src: url("{font}"); }} body {{ font-family: "{FONT}"; }}'
    sheet = weasyprint.CSS(string=face, font_config=fonts, url_fetcher=fetch)
    document = weasyprint.HTML(string=page, url_fetcher=fetch)
    pdf: bytes = document.write_pdf(stylesheets=[sheet], font_config=fonts)
    return pdf
