// Copy addresses by one tap, and share them where the browser can; else select the text for copying by hand.

const root = document.documentElement;
root.dataset.copies = "";
if (navigator.share !== undefined) root.dataset.shares = "";

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-copy], [data-share]");
  if (button === null) return;
  const field = document.getElementById(button.value);
  if (button.dataset.share !== undefined) {
    navigator.share({ title: document.title, url: field.value }).catch(() => {}); // or somebody has changed their mind
    return;
  }
  const said = button.parentElement.querySelector("output");
  said.textContent = "";
  const isCopied = await copied(field);
  if (isCopied) button.focus();
  said.textContent = isCopied ? said.dataset.copied : said.dataset.marked;
});

/** Return whether the text was copied. Over plain http there is no `navigator.clipboard`; the text stays selected. */
async function copied(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.focus();
    field.select();
    return document.execCommand("copy");
  }
}
