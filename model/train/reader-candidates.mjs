// node reader-candidates.mjs OUT REPOSITORIES QUESTIONS.jsonl...: what the search finds for each question about a function,
// for train-reader.py: the definitions of the best files as the reader gets them, one JSON file a repository. REPOSITORIES
// has a checkout OWNER/NAME of each repository of the questions; those that are missing are left out.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { loadSources } from '../../bench/source.mjs';

const product = await loadSources('reader-candidates', [
  'src/code/embed/static-embedder',
  'src/code/files/walk-tree',
  'src/code/languages',
  'src/code/rank/definition-table',
  'src/code/rank/definition-units',
  'src/code/rank/definition-weights',
  'src/code/rank/question-weights',
  'src/code/rank/rank',
  'src/code/rank/rank-definitions',
  'src/code/rank/read-query',
  'src/code/rank/thesaurus',
  'src/code/reader/definition-reader',
  'src/code/reader/read-tokens',
  'src/code/reader/reader-weights',
  'src/code/semantic/indexable-text',
  'src/code/semantic/search-index',
  'src/code/semantic/semantic-segment-builder',
  'src/code/symbols/extract/languages/index',
  'src/code/symbols/extract/symbol-reader',
  'src/code/symbols/file-shape',
  'src/code/words/split-words',
]);
/** As many as a search compares. */
const [FILES, HITS] = [12, 200];
/** Of the definitions of a question, the first ones are kept for training and one in so many of the others. */
const [KEPT, SAMPLED] = [64, 6];
const OWN_NAME_TOKENS = 8;
const DIGITS = 1e3;

const [out, repositories, ...lists] = process.argv.slice(2);
if (lists.length === 0) {
  console.error('usage: reader-candidates.mjs OUT REPOSITORIES QUESTIONS.jsonl...');
  process.exit(2);
}
const model = await product.openStaticEmbedder();
const encode = (text) => model.tokens.encode(text);
const reader = new product.DefinitionReader(product.readReaderWeights(product.weightsFolder()), model.tokens);
const syntax = await product.createSymbolReader(product.symbolLanguages);
mkdirSync(out, { recursive: true });
const asked = lists.flatMap((list) =>
  readFileSync(list, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({
      ...JSON.parse(line),
      set: basename(list, '.jsonl').replace(/^(outlined|behaviour)-.*/, '$1'),
    })),
);
/** Repositories that train-reader.py judges by: all definitions of theirs are kept. */
const judged = new Set(asked.filter(({ set }) => /^(held-out|strangers)/.test(set)).map(({ repo }) => repo));
for (const repository of new Set(asked.map(({ repo }) => repo))) {
  const folder = join(repositories, repository);
  const file = join(out, `${repository.replace('/', '+')}.json`);
  if (!existsSync(folder)) console.log(`${repository}: no checkout`);
  if (!existsSync(folder) || existsSync(file)) continue;
  const own = asked.filter(({ repo }) => repo === repository);
  const found = await candidatesOf(folder, own, judged.has(repository) || isHeld(repository));
  writeFileSync(file, JSON.stringify({ repository, ...found }));
  const there = found.rows.filter(({ missed }) => !missed).length;
  console.log(`${repository}: ${found.rows.length} questions, function found for ${there}`);
}

async function candidatesOf(folder, asked, keepsAll) {
  const { index, texts } = await read(folder);
  const tables = new Map();
  const tableOf = async (path) => {
    if (!tables.has(path)) tables.set(path, await tableFrom(path, texts.get(path)));
    return tables.get(path);
  };
  const numbers = new Map();
  const definitions = [];
  const numberOf = (path, unit, table, { tokens, lengths }) => {
    const key = `${path}\0${unit}`;
    if (!numbers.has(key)) {
      numbers.set(key, definitions.length);
      const parts = product.partsOf({ lengths }).map(([from, to]) => [...tokens.slice(from, to)]);
      definitions.push([...parts, [...encode(table.units[unit].ownName)].slice(0, OWN_NAME_TOKENS)]);
    }
    return numbers.get(key);
  };
  const rows = [];
  for (const one of asked) {
    const query = product.readQuery(one.question);
    if (query.report !== undefined) continue;
    const weigh = product.questionWeights(index);
    const vector = model.question(one.question, weigh);
    const { terms: alike, text } = product.alikeWords(one.question);
    const alikeVector = text === '' ? undefined : model.question(text, weigh);
    const hits = product.rank(index, query, { mode: 'hybrid', vector, alike, alikeVector }).slice(0, HITS);
    const byFile = new Map();
    for (const hit of hits) {
      const path = index.files.path(hit.file);
      const { line_start: from, line_end: to } = product.linesOf(index, hit.chunk);
      byFile.set(path, [...(byFile.get(path) ?? []), { score: hit.score, from, to, worth: hit.worth }]);
    }
    const wanted = [one.path].flat();
    const paths = [...byFile.keys()].slice(0, FILES);
    const missed = !paths.some((path) => wanted.includes(path));
    if (missed) paths.push(wanted[0]);
    const least = hits.at(-1)?.score ?? 0;
    const files = await Promise.all(
      paths.map(async (path) => {
        const chunks = byFile.get(path) ?? [];
        return { score: chunks[0]?.score ?? least, chunks, table: await tableOf(path) };
      }),
    );
    const question = {
      ...query,
      vector,
      alike,
      alikeVector,
      rarity: (word) => product.wordRarity(index, word),
      isDescription: true,
    };
    const isWanted = ({ file, unit }) =>
      wanted.includes(paths[file]) && isUnit(files[file].table.units[unit], one);
    const all = product
      .definitionsToRead(question, files, product.DEFINITION_WEIGHTS.description)
      .map(({ place, definition }) => ({ place, definition, right: isWanted(place) }));
    const words = product.splitWords(product.foldDiacritics(one.question));
    const tokens = product.questionTokens(words, weigh, text, encode);
    const nearest = reader.nearestWords(
      tokens,
      all.map(({ definition }) => definition),
    );
    rows.push({
      set: one.set,
      kind: one.kind ?? 'q',
      ids: tokens.ids,
      weights: tokens.weights.map(rounded),
      missed,
      candidates: all.flatMap(({ place: { file, unit }, definition, right }, at) =>
        keepsAll || at < KEPT || right || at % SAMPLED === 0
          ? [
              [
                numberOf(paths[file], unit, files[file].table, definition),
                Number(right),
                ...[definition.named, ...definition.facts, ...nearest[at]].map(rounded),
              ],
            ]
          : [],
      ),
    });
  }
  return { definitions, rows };
}

function isHeld(repository) {
  return Buffer.from(repository).reduce((sum, byte) => sum + byte, 0) % 9 === 3;
}

function rounded(value) {
  return Math.round(value * DIGITS) / DIGITS;
}

function lastName(name) {
  return String(name)
    .split(/[.:#]+/)
    .at(-1);
}

function isUnit({ ownName, line, from, to }, { function: names, start, end, line: asked }) {
  if (![names].flat().map(lastName).includes(lastName(ownName))) return false;
  if (start !== undefined) return from <= end && to >= start;
  return asked === undefined || line === asked || (from <= asked && asked <= to);
}

/** The index of a folder, and the texts of its files. */
async function read(folder) {
  const paths = [];
  product.walk(folder, { file: ({ path }) => paths.push(path), folder() {}, skipped() {}, unreadable() {} });
  const builder = new product.SegmentBuilder(model, syntax);
  const texts = new Map();
  for (const path of paths.filter((one) => !/(^|\/)\./.test(one)).sort()) {
    const found = product.indexableText(path, readFileSync(join(folder, path)));
    if ('skipped' in found) continue;
    await builder.add({ path, text: found.text, hash: '', size: 0, mtimeMs: 0 });
    texts.set(path, found.text);
  }
  return { index: product.joinSegments([builder.finish()]), texts };
}

async function tableFrom(path, text) {
  const language = text && product.languageOf(path);
  const symbols = language && syntax(text, path, language);
  if (!symbols) return undefined;
  const units = product.definitionUnits(product.shapeOf(symbols));
  return units.length === 0 ? undefined : product.definitionTable(path, units, text.split('\n'), model);
}
