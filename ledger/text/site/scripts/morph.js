/** Change a part of the page and leave equal elements in place, with the focus and what is being read. */

/** Give `target` the children of `fresh`. Elements with ids stay the same elements, and what is unfolded stays so. */
export function become(target, fresh) {
  let at = target.firstChild;
  for (const next of [...fresh.childNodes]) {
    const kept = match(target, at, next);
    if (kept === null) {
      target.insertBefore(next, at);
    } else {
      while (at !== kept && at.nodeType !== Node.ELEMENT_NODE) at = removed(at);
      if (kept.contains(document.activeElement)) while (at !== kept) at = behind(kept, at);
      if (kept === at) at = at.nextSibling;
      else target.insertBefore(kept, at);
      update(kept, next);
    }
  }
  while (at !== null) at = removed(at);
}

function removed(one) {
  const next = one.nextSibling;
  one.remove();
  return next;
}

/** A moved element loses the focus and a tap that has begun on it, so the others move around the focused one. */
function behind(kept, one) {
  const next = one.nextSibling;
  kept.after(one);
  return next;
}

function match(target, at, next) {
  if (next.id) {
    for (let one = at; one !== null; one = one.nextSibling) if (isAlike(one, next)) return one;
    return null;
  }
  return at !== null && isAlike(at, next) ? at : null;
}

function isAlike(one, other) {
  return one.nodeName === other.nodeName && (one.id ?? "") === (other.id ?? "");
}

function update(kept, next) {
  if (kept.nodeType !== Node.ELEMENT_NODE) {
    if (kept.nodeValue !== next.nodeValue) kept.nodeValue = next.nodeValue;
    return;
  }
  const isFold = kept.nodeName === "DETAILS";
  for (const { name } of [...kept.attributes]) if (!next.hasAttribute(name) && !(isFold && name === "open")) kept.removeAttribute(name);
  for (const { name, value } of next.attributes) if (kept.getAttribute(name) !== value) kept.setAttribute(name, value);
  become(kept, next);
}
