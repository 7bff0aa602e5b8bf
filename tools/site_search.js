/* The search of the site, put into Sphinx's language_data.js in place of its own splitter and its own ranking.

A page need not have all words of a question. Each word counts by how few pages have it, more in a title or heading,
and less on a long page. */

const CJK = /[\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff]+/g;

const foldText = (text) => text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").normalize("NFKC").replace(/[łŁ]/g, "l");

/* The same as `split` in site_search.py. */
function splitQuery(query) {
  const text = foldText(query);
  const pairs = (text.match(CJK) || []).flatMap((run) =>
    run.length === 1 ? [run] : [...run].slice(1).map((letter, at) => run[at] + letter));
  return (text.replace(CJK, " ").match(/[\p{L}\p{N}_]+/gu) || []).concat(pairs);
}

const RANK = { heading: 1.5, title: 3, hiragana: 0.25, beginning: 0.5, long: 0.5, least: 0.3, most: 12 };

Search._performSearch = (query, words, excluded) => {
  const { docnames, filenames, titles, terms, titleterms, alltitles } = Search._index;
  const having = (index, word) => (Object.hasOwn(index, word) ? [].concat(index[word]) : []);
  const stemmer = new Stemmer();
  const stems = (text) => new Set(splitQuery(text).map((word) => stemmer.stemWord(word.toLowerCase())));

  const sizes = docnames.map(() => 0);
  for (const index of [terms, titleterms])
    for (const word of Object.keys(index)) for (const file of having(index, word)) sizes[file] += 1;
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;

  const weights = new Map();
  const scores = docnames.map(() => 0);
  const add = (word, share) => {
    const files = new Set([...having(terms, word), ...having(titleterms, word)]);
    if (!files.size) return false;
    const weight = share * Math.log(1 + docnames.length / files.size) * (/^[\u3040-\u309f]+$/.test(word) ? RANK.hiragana : 1);
    weights.set(word, Math.max(weight, weights.get(word) || 0));
    for (const file of files) scores[file] += weight / (1 - RANK.long + (RANK.long * sizes[file]) / mean);
    return true;
  };
  for (const word of words) {
    if (add(word, 1) || word.length < 3) continue;
    for (const longer of new Set([...Object.keys(terms), ...Object.keys(titleterms)]))
      if (longer.startsWith(word)) add(longer, RANK.beginning);
  }

  const best = docnames.map((_, file) => ({ score: 0, title: titles[file], anchor: "" }));
  for (const [title, places] of Object.entries(alltitles)) {
    const found = stems(title);
    const shared = [...found].reduce((sum, word) => sum + (weights.get(word) || 0), 0);
    for (const [file, id] of places) {
      const score = ((id === null ? RANK.title : RANK.heading) * shared) / Math.sqrt(found.size || 1);
      if (score > best[file].score)
        best[file] = { score, title: id === null ? title : `${titles[file]} > ${title}`, anchor: id === null ? "" : `#${id}` };
    }
  }

  const without = new Set([...excluded].flatMap((word) => [...having(terms, word), ...having(titleterms, word)]));
  const results = docnames
    .map((name, file) => [name, best[file].title, best[file].anchor, null, scores[file] + best[file].score, filenames[file], SearchResultKind.text])
    .filter((result, file) => result[4] > 0 && !without.has(file))
    .sort((one, other) => one[4] - other[4]);
  const top = results.length ? results[results.length - 1][4] : 0;
  return results.filter((result) => result[4] >= RANK.least * top).slice(-RANK.most);
};

/* Sphinx's own Japanese leaves this message empty. */
if (DOCUMENTATION_OPTIONS.LANGUAGE === "ja")
  Documentation.TRANSLATIONS["Search finished, found one page matching the search query."] = ["${resultCount}ページが見つかりました。"];

/* A browser lets no script read pages that are files, so results opened as files have no excerpts. */
if (globalThis.location?.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
