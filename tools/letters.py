"""Make a font with the letters that Noto Sans JP lacks, from Source Sans 3: `python -m tools.letters`.

Needs `pip install fontpkg-source-sans-3 'trickledger[plots]'`. The Latin letters of Noto Sans JP are those of Source
Sans, enlarged; the factor is measured on letters that both fonts have.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from statistics import median
from typing import Any, Final

import fontpkg_source_sans_3
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

from ledger.plots.fonts import LATIN as FAMILY
from ledger.plots.fonts import font_file

FOLDER: Final = Path(__file__).parents[1] / "ledger" / "plots" / "vendored" / "letters"
LATIN: Final = (*range(0x00A0, 0x0250), *range(0x1E00, 0x1F00))
SAMPLE: Final = "abcdefghknopqrsuvxyz"
REGULAR: Final = {"wght": 400}


def main() -> None:
    """Write the font and its licence."""
    noto, source = TTFont(font_file()), TTFont(fontpkg_source_sans_3.ROOT / "files" / "SourceSans3[wght].ttf")
    known, has = source.getBestCmap(), noto.getBestCmap()
    glyphs, others = source.getGlyphSet(location=REGULAR), noto.getGlyphSet()
    larger = median(others[has[ord(sign)]].width / glyphs[known[ord(sign)]].width for sign in SAMPLE)
    names = {code: known[code] for code in LATIN if code in known and code not in has}
    order = [".notdef", *sorted(set(names.values()))]
    outlines = {name: _outline(glyphs, name, larger) for name in order}
    builder = FontBuilder(noto["head"].unitsPerEm, isTTF=True)
    builder.setupGlyphOrder(order)
    builder.setupCharacterMap(names)
    builder.setupGlyf(outlines)
    builder.setupHorizontalMetrics(
        {name: (round(glyphs[name].width * larger), getattr(outlines[name], "xMin", 0)) for name in order}
    )
    height = {"ascent": noto["hhea"].ascent, "descent": noto["hhea"].descent}
    builder.setupHorizontalHeader(**height)
    builder.setupOS2(sTypoAscender=height["ascent"], sTypoDescender=height["descent"])
    builder.setupNameTable({"familyName": FAMILY, "styleName": "Regular"})
    builder.setupPost(keepGlyphNames=False)
    builder.font.recalcTimestamp = False
    builder.font["head"].created = builder.font["head"].modified = source["head"].modified
    FOLDER.mkdir(parents=True, exist_ok=True)
    builder.save(FOLDER / "letters.ttf")
    shutil.copy(fontpkg_source_sans_3.ROOT / "LICENSE", FOLDER / "LICENSE")
    print(f"{len(names)} letters, {larger:.3f} times as large")


def _outline(glyphs: Any, name: str, larger: float) -> Any:
    whole = DecomposingRecordingPen(glyphs)
    glyphs[name].draw(whole)
    pen = TTGlyphPen(None)
    whole.replay(TransformPen(pen, (larger, 0, 0, larger, 0, 0)))
    return pen.glyph()


if __name__ == "__main__":
    main()
