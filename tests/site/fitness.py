"""What makes a page fit for everybody, measured in a browser: targets, sideways, focus that is seen, paper."""

from __future__ import annotations

from typing import Any, Final

from playwright.sync_api import Page

from tests.site.browser import script

TARGET: Final = 44
"""CSS pixels: what a thumb hits. A link in running text is as high as the text (WCAG 2.2, 2.5.8)."""
LEAST: Final = 24
"""No target is smaller than that."""

_MEASUREMENTS: Final = script("fitness.js")


def _measured(page: Page, measurement: str, *limits: int) -> Any:
    return page.evaluate(_MEASUREMENTS, [measurement, *limits])


def small_targets(page: Page) -> list[str]:
    """What can be tapped and is smaller than it should be, with its size."""
    return list(_measured(page, "smallTargets", TARGET, LEAST))


def cut_texts(page: Page) -> list[str]:
    """What is cut off at the right, or wider than its button; what can be scrolled sideways in a frame is not."""
    return list(_measured(page, "cutTexts"))


def overlapping_texts(page: Page) -> list[str]:
    """Texts that lie on each other, by half a line or more; the dock lies on what is scrolled beneath it."""
    return list(_measured(page, "overlappingTexts"))


def blanks_after_sentences(page: Page) -> list[str]:
    """Texts in which a blank stands between two sentences of Japanese, which take none."""
    return list(_measured(page, "blanksAfterSentences"))


def not_for_paper(page: Page) -> list[str]:
    """What would be printed with a ground, or in a colour too light for white paper."""
    page.emulate_media(media="print")
    unprintable = list(_measured(page, "notForPaper"))
    page.emulate_media(media="screen")
    return unprintable


def covered_focus(page: Page, most: int) -> list[str]:
    """What has the focus, by the Tab key from the top, and is wholly hidden behind something else."""
    covered = []
    page.emulate_media(reduced_motion="reduce")
    page.evaluate("() => { document.activeElement?.blur?.(); window.scrollTo(0, 0); }")
    for _ in range(most):
        page.keyboard.press("Tab")
        element = _measured(page, "coveredFocus")
        if element is None:
            break
        if element:
            covered.append(element)
    return covered
