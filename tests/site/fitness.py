"""What makes a page fit for everybody, measured in a browser: targets, sideways, focus that is seen, paper."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Page

TARGET: Final = 44
"""CSS pixels: what a thumb hits. A link in running text is as high as the text (WCAG 2.2, 2.5.8)."""
LEAST: Final = 24
"""No target is smaller than that."""

_TARGETS: Final = """([target, least]) => {
  const inText = one => getComputedStyle(one).display === "inline" &&
    (one.closest("p, li, dd, td")?.textContent.trim().length ?? 0) > one.textContent.trim().length + 3;
  const found = [];
  for (const one of document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary")) {
    if (!one.checkVisibility({checkOpacity: false, checkVisibilityCSS: true})) continue;
    const box = (one.closest("label") ?? one).getBoundingClientRect();
    if (box.bottom <= 0 || box.width === 0) continue;
    const high = inText(one) ? 0 : target;
    if (box.height + .5 < high || box.height < (high ? least : 0) || box.width + .5 < (high ? least : 0))
      found.push(`${one.outerHTML.slice(0, 90)}: ${Math.round(box.width)} × ${Math.round(box.height)}`);
  }
  return found;
}"""

_PAPER: Final = """() => {
  const numbers = colour => (colour.match(/[\\d.]+/g) ?? []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(one => one / 255)
    .map(one => one <= .04045 ? one / 12.92 : ((one + .055) / 1.055) ** 2.4)
    .reduce((sum, one, place) => sum + one * [.2126, .7152, .0722][place], 0);
  const found = [];
  for (const one of document.querySelectorAll("body, body *:not(svg *)")) {
    if (!one.checkVisibility() || one.closest(".hide")) continue;
    const style = getComputedStyle(one), ground = numbers(style.backgroundColor);
    if ((ground[3] ?? 1) > 0 && light(ground) < .999) found.push(`ground ${one.tagName}.${one.className}`);
    const has = [...one.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (has && 1.05 / (light(numbers(style.color)) + .05) < 4.5) found.push(`ink ${one.tagName}.${one.className}`);
  }
  for (const one of document.querySelectorAll(".baize, .plate rect"))
    if (light(numbers(getComputedStyle(one).fill)) < .999) found.push(`fill ${one.getAttribute("class")}`);
  return [...new Set(found)];
}"""

_TEXTS: Final = """
  const texts = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const of = node.parentElement, range = document.createRange();
    const text = node.data.trim().slice(0, 40);
    if (!text || of.closest(".hide, .skip, svg, option, template, noscript") || !of.checkVisibility()) continue;
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) if (box.width > 1) texts.push({of, box, text});
  }
"""

_CUT: Final = f"""() => {{ {_TEXTS}
  const cuts = one => /hidden|clip/.test(getComputedStyle(one).overflowX);
  const found = [];
  for (const {{of, box, text}} of texts) {{
    if (of.closest(".scroll")) continue;
    let around = of;
    while (around && !cuts(around)) around = around.parentElement;
    const right = around ? around.getBoundingClientRect().right : document.documentElement.clientWidth;
    if (box.right > right + 1 || box.left < -1) found.push(`${{text}}: ${{Math.round(box.right - right)}} px`);
  }}
  for (const one of document.querySelectorAll("button, select, .btn"))
    if (one.checkVisibility() && one.scrollWidth > one.clientWidth + 1) found.push(one.outerHTML.slice(0, 90));
  return [...new Set(found)];
}}"""

_OVERLAPPING: Final = f"""() => {{ {_TEXTS}
  const seen = ({{of, box}}) => {{
    let {{left, right, top, bottom}} = box;
    for (let one = of; one; one = one.parentElement) {{
      if (!/hidden|clip/.test(getComputedStyle(one).overflowY)) continue;
      const around = one.getBoundingClientRect();
      [top, bottom] = [Math.max(top, around.top), Math.min(bottom, around.bottom)];
    }}
    return {{left, right, top, bottom, height: bottom - top}};
  }};
  const lying = texts.filter(({{of}}) => !of.closest(".dock")).map(one => ({{...one, box: seen(one)}})), found = [];
  lying.forEach((one, place) => {{
    for (const other of lying.slice(place + 1)) {{
      if (one.of === other.of || one.of.contains(other.of) || other.of.contains(one.of)) continue;
      const wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const high = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
      if (wide > 2 && high > Math.min(one.box.height, other.box.height) / 2)
        found.push(`${{one.text}} | ${{other.text}}`);
    }}
  }});
  return [...new Set(found)];
}}"""

_BLANKS: Final = """() => [...document.querySelectorAll("p:not(.ask p), li, dd, td, h2")]
  .filter(one => one.checkVisibility()).map(one => one.innerText).filter(text => /。[ \\u00a0]/.test(text))"""
"""Beside who is asked stands a note, which is no second sentence."""

_HIDDEN_FOCUS: Final = """() => {
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  const boxed = one.closest("label") ?? one, box = boxed.getBoundingClientRect();
  if (one.closest(".skip")) return "";
  const inset = 2, xs = [box.left + inset, (box.left + box.right) / 2, box.right - inset];
  const ys = [box.top + inset, (box.top + box.bottom) / 2, box.bottom - inset];
  const seen = xs.some(x => ys.some(y => {
    const there = document.elementFromPoint(x, y);
    return there && (boxed.contains(there) || there.contains(boxed));
  }));
  return seen ? "" : one.outerHTML.slice(0, 90);
}"""


def small_targets(page: Page) -> list[str]:
    """What can be tapped and is smaller than it should be, with its size."""
    found: list[str] = page.evaluate(_TARGETS, [TARGET, LEAST])
    return found


def cut_texts(page: Page) -> list[str]:
    """What is cut off at the right, or wider than its button; what can be scrolled sideways in a frame is not."""
    found: list[str] = page.evaluate(_CUT)
    return found


def overlapping_texts(page: Page) -> list[str]:
    """Texts that lie on each other, by half a line or more; the dock lies on what is scrolled beneath it."""
    found: list[str] = page.evaluate(_OVERLAPPING)
    return found


def blanks_after_sentences(page: Page) -> list[str]:
    """Texts in which a blank stands between two sentences of Japanese, which take none."""
    found: list[str] = page.evaluate(_BLANKS)
    return found


def not_for_paper(page: Page) -> list[str]:
    """What would be printed with a ground, or in a colour too light for white paper."""
    page.emulate_media(media="print")
    found: list[str] = page.evaluate(_PAPER)
    page.emulate_media(media="screen")
    return found


def covered_focus(page: Page, most: int) -> list[str]:
    """What has the focus, by the Tab key from the top, and is wholly hidden behind something else."""
    found = []
    page.emulate_media(reduced_motion="reduce")
    page.evaluate("() => { document.activeElement?.blur?.(); window.scrollTo(0, 0); }")
    for _ in range(most):
        page.keyboard.press("Tab")
        told = page.evaluate(_HIDDEN_FOCUS)
        if told is None:
            break
        if told:
            found.append(told)
    return found
