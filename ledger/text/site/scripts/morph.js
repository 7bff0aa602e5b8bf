/** Change a part of the page and leave equal elements in place, with the focus and what is being read. */

/** Give `target` the children of `fresh`. Elements with ids stay the same elements, and what is unfolded stays so. */
export function become(target, fresh) {
  let at = target.firstChild;
  for (const next of [...fresh.childNodes]) {
    const current = match(target, at, next);
    if (current === null) {
      target.insertBefore(next, at);
    } else {
      while (at !== current && at.nodeType !== Node.ELEMENT_NODE) at = removed(at);
      if (current.contains(document.activeElement)) while (at !== current) at = behind(current, at);
      if (current === at) at = at.nextSibling;
      else target.insertBefore(current, at);
      update(current, next);
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
function behind(current, one) {
  const next = one.nextSibling;
  current.after(one);
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

function update(current, next) {
  if (current.nodeType !== Node.ELEMENT_NODE) {
    if (current.nodeValue !== next.nodeValue) current.nodeValue = next.nodeValue;
    return;
  }
  const isFold = current.nodeName === "DETAILS";
  for (const { name } of [...current.attributes]) if (!next.hasAttribute(name) && !(isFold && name === "open")) current.removeAttribute(name);
  for (const { name, value } of next.attributes) if (current.getAttribute(name) !== value) current.setAttribute(name, value);
  become(current, next);
}
