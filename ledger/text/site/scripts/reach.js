/** Brings a keyboard that has come into a low window, with who is asked above it, where a thumb finds all of it. */
export function bring(root) {
  const [asked, keys] = [root.querySelector("#ask"), root.querySelector("#keys")];
  if (asked === null || keys === null) return;
  const below = Math.ceil(keys.getBoundingClientRect().bottom - window.innerHeight);
  const room = asked.getBoundingClientRect().top;
  if (below > 0 && room >= below) window.scrollBy({ top: below, behavior: "instant" });
}
