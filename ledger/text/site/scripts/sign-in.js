// Remove the secret of a link first: it follows "#", which no browser sends.

import "./errors.js";
const byCode = document.getElementById("by-code");
const byToken = document.getElementById("by-token");
const yourName = document.getElementById("name");
const NAME = "trickledger-name";

function remembered() {
  try {
    return localStorage.getItem(NAME) ?? "";
  } catch {
    return "";
  }
}

function remember() {
  try {
    localStorage.setItem(NAME, yourName.value.trim());
  } catch { /* a browser that keeps nothing asks again */ }
}

function shown(element) {
  element.hidden = false;
  element.focus();
}

function askWho(code) {
  byCode.elements.code.value = code;
  document.getElementById("digits").hidden = true;
  shown(document.getElementById("read"));
}

function takeLink() {
  const secret = location.hash.slice(1);
  if (!/^(trk_[0-9A-Za-z_]+|[0-9]{8})$/.test(secret)) return;
  history.replaceState(null, "", location.pathname + location.search);
  if (secret.startsWith("trk_")) {
    byToken.elements.token.value = secret;
    byToken.requestSubmit();
  } else if (yourName.value) {
    byCode.elements.code.value = secret;
    byCode.requestSubmit();
  } else {
    askWho(secret);
  }
}

yourName.value ||= remembered();
byCode.addEventListener("submit", remember);

takeLink();
addEventListener("hashchange", takeLink);
