// Note in `window.found` which card lies at a place before and while a band comes.
([x, y]) => {
  const value = () => document.elementFromPoint(x, y)?.closest("button")?.value ?? null;
  window.found = {before: value(), after: [], top: document.querySelector("#keys").getBoundingClientRect().top};
  const bands = new MutationObserver(() => window.found.after.push(value()));
  bands.observe(document.querySelector("#trouble"), {childList: true});
}
