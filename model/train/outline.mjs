// node outline.mjs OUT REPOSITORIES OWNER/NAME...: what a writer of questions sees of a repository: functions from all over it,
// each with a number, its comment and the beginning of its text. OUT gets OWNER+NAME.txt to read and OWNER+NAME.json, which
// says what each number is. With --questions FOLDER, functions that are asked about there are left out.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadSources } from '../../bench/source.mjs';

const product = await loadSources('outline', [
  'src/code/files/walk-tree',
  'src/code/languages',
  'src/code/rank/definition-units',
  'src/code/rank/file-roles',
  'src/code/semantic/indexable-text',
  'src/code/symbols/extract/languages/index',
  'src/code/symbols/extract/symbol-reader',
  'src/code/symbols/file-shape',
]);
/** Functions of a repository, and of one file at most. */
const [FUNCTIONS, OF_A_FILE] = [160, 10];
const [LEAST_LINES, MOST_FILES] = [4, 1500];
const [COMMENT_CHARACTERS, CHARACTERS] = [160, 200];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { questions: { type: 'string' } },
});
const [out, repositories, ...names] = positionals;
if (names.length === 0) {
  console.error('usage: outline.mjs OUT REPOSITORIES OWNER/NAME... [--questions FOLDER]');
  process.exit(2);
}
const known = new Set(values.questions === undefined ? [] : questionsIn(values.questions));
const syntax = await product.createSymbolReader(product.symbolLanguages);
mkdirSync(out, { recursive: true });
for (const repository of names) {
  const files = outlineOf(join(repositories, repository), repository);
  const numbered = files.flatMap(({ path, units }) => units.map((unit) => ({ path, ...unit })));
  let next = 0;
  const text = files.map(
    ({ path, units }) => `== ${path}\n${units.map(({ title }) => `${next++} ${title}`).join('\n')}\n`,
  );
  const file = join(out, repository.replace('/', '+'));
  writeFileSync(`${file}.txt`, `# ${repository}\n${text.join('')}`);
  writeFileSync(`${file}.json`, JSON.stringify(numbered.map(({ title, ...one }) => one)));
  console.log(`${repository}: ${numbered.length} functions`);
}

/** Functions of files that are neither tests nor somebody else's, spread over the repository. */
function outlineOf(folder, repository) {
  const random = generator(repository);
  const paths = [];
  product.walk(folder, { file: ({ path }) => paths.push(path), folder() {}, skipped() {}, unreadable() {} });
  const found = shuffled(paths.filter(isOwnCode), random).slice(0, MOST_FILES);
  const chosen = [];
  let count = 0;
  for (const path of found) {
    if (count >= FUNCTIONS) break;
    const units = shuffled(functionsOf(folder, path), random)
      .filter(({ function: name }) => !known.has(`${repository} ${path} ${name}`))
      .slice(0, OF_A_FILE)
      .sort((a, b) => a.line - b.line);
    if (units.length === 0) continue;
    chosen.push({ path, units });
    count += units.length;
  }
  return chosen.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function isOwnCode(path) {
  const role =
    /(^|\/)(\.|tests?|specs?|__tests__|testing|testdata|fixtures?|vendor|third[_-]?party|node_modules|deps|docs?|examples?|samples?|bench(?:marks?)?|dist|generated|translations?|locales?)(\/|$)/i;
  return (
    !role.test(path) &&
    !/[._-](test|spec|min|pb|generated)\.|_test\.|Tests?\.\w+$/i.test(path) &&
    product.languageOf(path) !== undefined
  );
}

function functionsOf(folder, path) {
  const read = product.indexableText(path, readFileSync(join(folder, path)));
  const language = product.languageOf(path);
  const symbols = 'text' in read && language ? syntax(read.text, path, language) : undefined;
  if (!symbols) return [];
  const lines = read.text.split('\n');
  return product
    .definitionUnits(product.shapeOf(symbols))
    .filter(
      ({ kind, from, to, isTest, isPrototype }) =>
        kind === 'function' && !isTest && !isPrototype && to - from + 1 >= LEAST_LINES,
    )
    .map((unit) => ({ function: unit.name, line: unit.line, title: titleOf(unit, lines) }));
}

/** Name and signature, the comment, and as much of the text as there is room for. */
function titleOf({ name, signature, lead, from, end }, lines) {
  const text = (first, last) => lines.slice(first - 1, last).join(' ');
  const comment = text(lead, from - 1)
    .replace(/[/*#\s!"-]+/g, ' ')
    .trim()
    .slice(0, COMMENT_CHARACTERS);
  const body = text(from + 1, end)
    .replace(/\s+/g, ' ')
    .trim();
  return `${name} ${signature.slice(0, 60)} | ${`${comment} | ${body}`.slice(0, CHARACTERS)}`;
}

function* questionsIn(folder) {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.jsonl')))
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean)) {
      const { repo, path, function: name } = JSON.parse(line);
      yield `${repo} ${path} ${name}`;
    }
}

function shuffled(list, random) {
  return list
    .map((one) => [random(), one])
    .sort(([a], [b]) => a - b)
    .map(([, one]) => one);
}

/** Numbers below 1 that are the same in each run for a name. */
function generator(name) {
  let state = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
