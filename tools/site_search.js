/* The search of the site, put into Sphinx's language_data.js in place of its own splitter and its own ranking.

A page need not have all words of a question. Words count by BM25, the rarer the more; a title or heading that has them
counts on top. */

const CJK = /[\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff]+/g;
const HIRAGANA = /^[\u3040-\u309f]+$/;

/* The same as `split` in site_search.py. */
function splitQuery(query) {
  const text = query.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").normalize("NFKC").replace(/[łŁ]/g, "l");
  const pairs = (text.match(CJK) || []).flatMap((run) =>
    run.length < 2 ? [run] : [...run].slice(1).map((letter, at) => run[at] + letter));
  return (text.replace(CJK, " ").match(/[\p{L}\p{N}_]+/gu) || []).concat(pairs);
}

const RANK = {
  saturation: 0.5, // k1 of BM25: the less, the less it counts that a page repeats a word
  length: 0.6, // b of BM25: the more, the less a long page counts
  title: 4, // a word in the title of the page
  heading: 1, // a word in a heading
  grammar: 0.2, // a pair of hiragana, which mostly is an ending or a particle
  beginning: 0.5, // a word that only begins with the one in the question
  contributing: 0.7, // a page for contributors
  least: 0.3, // a result, compared with the best one
  most: 12, // results
};

Search._performSearch = (query, words, excluded) => {
  const { docnames, filenames, titles, terms, titleterms, alltitles } = Search._index;
  const { counts, sizes } = Search.statistics; // by the build: how often a page has a word, and how many words in all
  const lookUp = (index, word) => (Object.hasOwn(index, word) ? [].concat(index[word]) : []);
  const pagesWith = (word) => new Set([...lookUp(terms, word), ...lookUp(titleterms, word)]);
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;

  const weights = new Map();
  const scores = docnames.map(() => 0);
  const add = (word, share) => {
    const files = pagesWith(word);
    if (!files.size || weights.has(word)) return files.size > 0;
    const rarity = Math.log(1 + (docnames.length - files.size + 0.5) / (files.size + 0.5));
    const weight = share * rarity * (HIRAGANA.test(word) ? RANK.grammar : 1);
    weights.set(word, weight);
    for (const file of files) {
      const times = (Object.hasOwn(counts, word) && counts[word][file]) || 1;
      const damping = RANK.saturation * (1 - RANK.length + (RANK.length * sizes[file]) / mean);
      scores[file] += (weight * times * (RANK.saturation + 1)) / (times + damping);
    }
    return true;
  };
  for (const word of words)
    if (!add(word, 1) && word.length > 2)
      for (const longer of new Set([...Object.keys(terms), ...Object.keys(titleterms)]))
        if (longer.startsWith(word)) add(longer, RANK.beginning);

  const stemmer = new Stemmer();
  const best = docnames.map((_, file) => ({ score: 0, title: titles[file], anchor: "" }));
  for (const [title, places] of Object.entries(alltitles)) {
    const said = splitQuery(title.toLowerCase()).filter((word) => !stopwords.has(word));
    const inTitle = new Set(said.map((word) => stemmer.stemWord(word)));
    const shared = [...inTitle].reduce((sum, word) => sum + (weights.get(word) || 0), 0);
    for (const [file, id] of places) {
      const score = ((id === null ? RANK.title : RANK.heading) * shared) / Math.sqrt(inTitle.size || 1);
      if (score > best[file].score)
        best[file] = id === null ? { score, title, anchor: "" } : { score, title: `${titles[file]} > ${title}`, anchor: `#${id}` };
    }
  }

  const without = new Set([...excluded].flatMap((word) => [...pagesWith(word)]));
  const results = docnames
    .map((name, file) => {
      const score = (scores[file] + best[file].score) * (name.includes("/") ? 1 : RANK.contributing);
      return [name, best[file].title, best[file].anchor, null, score, filenames[file], "text"];
    })
    .filter(([name, , , , score], file) => name !== "index" && score > 0 && !without.has(file))
    .sort((one, other) => one[4] - other[4]);
  const top = results.length ? results[results.length - 1][4] : 0;
  return results.filter((result) => result[4] >= RANK.least * top).slice(-RANK.most);
};

/* Sphinx's own Japanese leaves this message empty. */
if (DOCUMENTATION_OPTIONS.LANGUAGE === "ja")
  Documentation.TRANSLATIONS["Search finished, found one page matching the search query."] = ["${resultCount}ページが見つかりました。"];

/* A browser lets no script read pages that are files, so results opened as files have no excerpts. */
if (globalThis.location?.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
