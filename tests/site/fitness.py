"""Measure in a browser whether a page is usable for everyone: tap targets, width, visible focus, print."""

from typing import Any, Final

from playwright.sync_api import Page

from tests.site.browser import script

TARGET: Final = 44
"""The size of a thumb's target in CSS pixels. A link in running text is as high as the text (WCAG 2.2, 2.5.8)."""
LEAST: Final = 24
"""The minimum size of a target in CSS pixels."""

_MEASUREMENTS: Final = script("fitness.js")


def _measured(page: Page, measurement: str, *limits: int) -> Any:
    return page.evaluate(_MEASUREMENTS, [measurement, *limits])


def small_targets(page: Page) -> list[str]:
    """Return the tap targets that are too small, with their sizes."""
    return list(_measured(page, "smallTargets", TARGET, LEAST))


def cut_texts(page: Page) -> list[str]:
    """Return the texts that are cut off at the right or wider than their button, except those that scroll sideways."""
    return list(_measured(page, "cutTexts"))


def overlapping_texts(page: Page) -> list[str]:
    """Return the texts that overlap by half a line or more; the dock may cover what scrolls beneath it."""
    return list(_measured(page, "overlappingTexts"))


def blanks_after_sentences(page: Page) -> list[str]:
    """Return the texts with a blank between two Japanese sentences."""
    return list(_measured(page, "blanksAfterSentences"))


def not_for_paper(page: Page) -> list[str]:
    """Return the elements that print with a background, or in a colour too light for white paper."""
    page.emulate_media(media="print")
    unprintable = list(_measured(page, "notForPaper"))
    page.emulate_media(media="screen")
    return unprintable


def covered_focus(page: Page, most: int) -> list[str]:
    """Return the elements that have the focus, by the Tab key from the top, while something else hides them."""
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
