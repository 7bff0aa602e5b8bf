// Ask the search of a site as its pages do: `node search.js FOLDER`. Questions come in as a JSON array; the names of
// the pages go out, best first.
const { readFileSync } = require("node:fs");
const { createContext, runInContext } = require("node:vm");

const page = createContext({ SPHINX_HIGHLIGHT_ENABLED: false });
runInContext("var window = this, Documentation = { TRANSLATIONS: {} }, _ready = () => {};", page);
const scripts = ["documentation_options.js", "searchtools.js", "language_data.js"].map((name) => `_static/${name}`);
for (const script of [...scripts, "searchindex.js"])
  runInContext(readFileSync(`${process.argv[2]}/${script}`, "utf8"), page, { filename: script });
const ask = runInContext("(question) => Search._performSearch(...Search._parseQuery(question)).reverse()", page);
const questions = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(questions.map((question) => ask(question).map(([name]) => name))));
