"""Pictures of pixels: of the size asked for, every sign of every name drawn, or an error that says which is not."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from msgspec import structs

import ledger
from ledger.errors import MalformedError, NotFoundError
from ledger.text.pictures import fonts
from ledger.text.pictures.fonts import fonts_for
from ledger.text.pictures.moment import moment_at
from ledger.text.pictures.table import table_svg
from tests.hand_records import REPLAYS, fold_of, record_in

MOMENT = moment_at(fold_of(record_in(REPLAYS / "ombre" / "revoke.toml")), 1, 24, "ja")


def picture_of(*players: str) -> str:
    return table_svg(structs.replace(MOMENT, players=players))


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


@pytest.mark.parametrize("scale", range(1, 5))
def test_a_picture_has_the_size_asked_for(scale: int) -> None:
    assert size_of(ledger.picture_png(table_svg(MOMENT), scale)) == (400 * scale, 440 * scale)


@pytest.mark.parametrize("scale", [0, -1, 5, 1000])
def test_a_scale_out_of_bounds_is_refused(scale: int) -> None:
    with pytest.raises(MalformedError) as refused:
        ledger.picture_png(table_svg(MOMENT), scale)
    assert refused.value.code == "malformed"
    assert refused.value.values == {"where": "scale", "text": str(scale), "expected": "a scale from 1 to 4"}


def test_the_same_picture_is_the_same_bytes() -> None:
    assert ledger.picture_png(table_svg(MOMENT)) == ledger.picture_png(table_svg(MOMENT))


def test_another_japanese_name_is_another_picture() -> None:
    """Were its signs drawn as empty boxes, the two would look the same."""
    hanako, taro = (ledger.picture_png(picture_of(name, "Ben", "Cleo")) for name in ("花子", "太郎"))
    assert hanako != taro


def test_a_name_of_usual_signs_wants_one_font() -> None:
    assert len(fonts_for(["Zoë", "花子", "Жуковский"])) == 1


def test_a_sign_that_the_font_lacks_is_taken_from_a_font_of_the_system(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = tmp_path / "Other.ttf"
    signs = {other: frozenset(map(ord, "Łż"))}
    monkeypatch.setattr(fonts, "_system_fonts", lambda: (tmp_path / "None.ttf", other))
    monkeypatch.setattr(fonts, "_signs_of", lambda font: signs.get(font, frozenset(map(ord, "ukas"))))
    assert fonts_for(["Łukasż"])[1:] == [other]


def test_a_sign_that_no_font_has_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts, "_system_fonts", lambda: ())
    with pytest.raises(NotFoundError) as refused:
        ledger.picture_png(picture_of("Łukasz", "Ben", "Cleo"))
    assert refused.value.code == "not_installed"
    assert str(refused.value).startswith("no font here has Ł of Łukasz; ")


def test_a_broken_font_of_the_system_has_no_sign(tmp_path: Path) -> None:
    (tmp_path / "Broken.ttf").write_bytes(b"no font")
    assert fonts._signs_of(tmp_path / "Broken.ttf") == frozenset()


@pytest.mark.parametrize("package", ["resvg_py", "pylopdf_fonts_jp"])
def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    monkeypatch.setitem(__import__("sys").modules, package, None)
    with pytest.raises(NotFoundError) as refused:
        ledger.picture_png(table_svg(MOMENT))
    assert refused.value.code == "not_installed"
    assert "pip install 'trickledger[serve]'" in str(refused.value)
