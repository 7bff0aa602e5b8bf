// Measurements of a drawn page; `fitness.py` describes each and calls this with a name.
([measurement, ...limits]) => {
  const isShown = (one) => one.checkVisibility({ checkOpacity: false, checkVisibilityCSS: true });
  const beginning = (one) => one.outerHTML.slice(0, 90);

  const textBoxes = () => {
    const texts = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const of = node.parentElement, range = document.createRange();
      const text = node.data.trim().slice(0, 40);
      if (!text || of.closest(".hide, .skip, svg, option, template, noscript") || !of.checkVisibility()) continue;
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) if (box.width > 1) texts.push({ of, box, text });
    }
    return texts;
  };

  const smallTargets = (target, least) => {
    const inText = (one) => getComputedStyle(one).display === "inline" &&
      (one.closest("p, li, dd, td")?.textContent.trim().length ?? 0) > one.textContent.trim().length + 3;
    const controls = "a[href], button, input:not([type=hidden]), select, textarea, summary";
    const found = [];
    for (const one of document.querySelectorAll(controls)) {
      if (!isShown(one)) continue;
      const box = (one.closest("label") ?? one).getBoundingClientRect();
      if (box.bottom <= 0 || box.width === 0) continue;
      const high = inText(one) ? 0 : target;
      if (box.height + .5 < high || box.height < (high ? least : 0) || box.width + .5 < (high ? least : 0))
        found.push(`${beginning(one)}: ${Math.round(box.width)} × ${Math.round(box.height)}`);
    }
    return found;
  };

  const notForPaper = () => {
    const numbers = (colour) => (colour.match(/[\d.]+/g) ?? []).map(Number);
    const light = ([r, g, b]) => [r, g, b].map((one) => one / 255)
      .map((one) => one <= .04045 ? one / 12.92 : ((one + .055) / 1.055) ** 2.4)
      .reduce((sum, one, place) => sum + one * [.2126, .7152, .0722][place], 0);
    const found = [];
    for (const one of document.querySelectorAll("body, body *:not(svg *)")) {
      if (!one.checkVisibility() || one.closest(".hide")) continue;
      const style = getComputedStyle(one), ground = numbers(style.backgroundColor);
      if ((ground[3] ?? 1) > 0 && light(ground) < .999) found.push(`ground ${one.tagName}.${one.className}`);
      const has = [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
      if (has && 1.05 / (light(numbers(style.color)) + .05) < 4.5) found.push(`ink ${one.tagName}.${one.className}`);
    }
    for (const one of document.querySelectorAll(".baize, .plate rect"))
      if (light(numbers(getComputedStyle(one).fill)) < .999) found.push(`fill ${one.getAttribute("class")}`);
    return [...new Set(found)];
  };

  const cutTexts = () => {
    const cuts = (one) => /hidden|clip/.test(getComputedStyle(one).overflowX);
    const found = [];
    for (const { of, box, text } of textBoxes()) {
      if (of.closest(".scroll")) continue;
      let around = of;
      while (around && !cuts(around)) around = around.parentElement;
      const right = around ? around.getBoundingClientRect().right : document.documentElement.clientWidth;
      if (box.right > right + 1 || box.left < -1) found.push(`${text}: ${Math.round(box.right - right)} px`);
    }
    for (const one of document.querySelectorAll("button, select, .btn"))
      if (one.checkVisibility() && one.scrollWidth > one.clientWidth + 1) found.push(beginning(one));
    return [...new Set(found)];
  };

  const overlappingTexts = () => {
    const seen = ({ of, box }) => {
      let { left, right, top, bottom } = box;
      for (let one = of; one; one = one.parentElement) {
        if (!/hidden|clip|auto|scroll/.test(getComputedStyle(one).overflowY)) continue;
        const around = one.getBoundingClientRect();
        [top, bottom] = [Math.max(top, around.top), Math.min(bottom, around.bottom)];
      }
      return { left, right, top, bottom, height: bottom - top };
    };
    const lying = textBoxes().filter(({ of }) => !of.closest(".dock")).map((one) => ({ ...one, box: seen(one) }));
    const found = [];
    lying.forEach((one, place) => {
      for (const other of lying.slice(place + 1)) {
        if (one.of === other.of || one.of.contains(other.of) || other.of.contains(one.of)) continue;
        const wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const high = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
        if (wide > 2 && high > Math.min(one.box.height, other.box.height) / 2)
          found.push(`${one.text} | ${other.text}`);
      }
    });
    return [...new Set(found)];
  };

  // The note after the prompt is not a second sentence.
  const blanksAfterSentences = () => [...document.querySelectorAll("p:not(.ask p), li, dd, td, h2")]
    .filter((one) => one.checkVisibility()).map((one) => one.innerText).filter((text) => /。[ \u00a0]/.test(text));

  // The focused element if it is covered, "" if it is visible, null if nothing has the focus.
  const coveredFocus = () => {
    const one = document.activeElement;
    if (!one || one === document.body) return null;
    const boxed = one.closest("label") ?? one, box = boxed.getBoundingClientRect();
    if (one.closest(".skip")) return "";
    const inset = 2, xs = [box.left + inset, (box.left + box.right) / 2, box.right - inset];
    const ys = [box.top + inset, (box.top + box.bottom) / 2, box.bottom - inset];
    const isSeen = xs.some((x) => ys.some((y) => {
      const there = document.elementFromPoint(x, y);
      return there && (boxed.contains(there) || there.contains(boxed));
    }));
    return isSeen ? "" : beginning(one);
  };

  const measurements = {
    smallTargets, notForPaper, cutTexts, overlappingTexts, blanksAfterSentences, coveredFocus,
  };
  return measurements[measurement](...limits);
}
