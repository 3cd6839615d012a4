// node bench/questions/mine.mjs OUT COUNT REPOSITORY...: makes questions about known functions from the history of
// checked-out repositories: the subject of a commit that changed one function of one file (tests and prose aside), if
// the function is still there. COUNT is the maximum per repository. Subjects that name the function are left out.
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadSources } from '../source.mjs';

const MODULES = [
  'src/code/languages',
  'src/code/symbols/extract/symbol-reader',
  'src/code/symbols/extract/languages/index',
];
const COMMITS = 1500;
const MAX_BUFFER = 1 << 28;
const MIN_WORDS = 4;
const ASIDE =
  /(^|[/_.-])(tests?|specs?|testing|testdata|fixtures?|examples?|docs?|vendor|bench(marks?)?)([/_.-]|$)|\.(md|txt|json|ya?ml|lock|toml)$/i;
const CHORE =
  /^(merge|revert|bump|release|chore|docs?|style|ci|build|test|version|update|upgrade|lint|format)\b|typo|changelog|clippy|refactor|simplif|clean ?up|rename/i;

const git = (folder, ...args) =>
  execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', maxBuffer: MAX_BUFFER });

/** A commit's files with their changed lines, numbered as after the commit. */
function changesOf(folder, commit) {
  const files = new Map();
  let path;
  for (const line of git(folder, 'show', '-U0', '--format=', '--no-renames', commit).split('\n')) {
    const file = /^\+\+\+ b\/(.*)$/.exec(line);
    if (file) path = file[1];
    else if (line.startsWith('+++ ')) path = undefined;
    const hunk = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (hunk && path !== undefined) {
      const count = Number(hunk[2] ?? 1);
      const from = Number(hunk[1]);
      files.set(path, [...(files.get(path) ?? []), [from, from + Math.max(0, count - 1)]]);
    }
  }
  return files;
}

/** The innermost function around all changed lines. */
function functionAround(symbols, changes) {
  return symbols?.definitions
    .filter(({ kind, isPrototype }) => (kind === 'function' || kind === 'method') && !isPrototype)
    .filter(({ from, to }) => changes.every(([first, last]) => first >= from && last <= to))
    .sort((a, b) => a.to - a.from - (b.to - b.from))[0];
}

function questionOf(subject) {
  return subject
    .replace(/^\[[^\]]*\]\s*/, '')
    .replace(/^\w+(\([^)]*\))?!?:\s*/, (lead) => (CHORE.test(lead) ? lead : ''))
    .replace(/\s*\(#\d+\)\s*$/, '')
    .replace(/\s*#\d+\s*$/, '')
    .trim();
}

const [out, most, ...repositories] = process.argv.slice(2);
if (!out || !Number(most) || repositories.length === 0) {
  console.error('usage: mine.mjs OUT COUNT REPOSITORY...');
  process.exit(2);
}
const product = await loadSources('questions', MODULES);
const readSymbols = await product.createSymbolReader(product.symbolLanguages);
writeFileSync(out, '');
for (const folder of repositories.map((one) => resolve(one))) {
  let found = 0;
  const seen = new Set();
  const log = git(folder, 'log', '--no-merges', `-n${COMMITS}`, '--format=%H%x00%s', 'HEAD')
    .trim()
    .split('\n');
  for (const [commit, subject] of log.map((line) => line.split('\0'))) {
    if (found >= Number(most)) break;
    const question = questionOf(subject);
    if (CHORE.test(question) || CHORE.test(subject) || question.split(/\s+/).length < MIN_WORDS) continue;
    const changed = [...changesOf(folder, commit)].filter(([path]) => !ASIDE.test(path));
    if (changed.length !== 1) continue;
    const [[path, lines]] = changed;
    const language = product.languageOf(path);
    if (language === undefined || !existsSync(join(folder, path))) continue;
    const then = functionAround(readSymbols(git(folder, 'show', `${commit}:${path}`), path, language), lines);
    if (then === undefined || then.isTest || seen.has(`${path} ${then.name}`)) continue;
    const now = readSymbols(readFileSync(join(folder, path), 'utf8'), path, language);
    const still = now?.definitions.find(({ name, isPrototype }) => name === then.name && !isPrototype);
    if (still === undefined) continue;
    if (question.toLowerCase().includes(then.name.toLowerCase())) continue;
    seen.add(`${path} ${then.name}`);
    const { name, from: start, to: end } = still;
    const row = { repo: folder, question, path, function: name, start, end, from: 'commit', commit };
    appendFileSync(out, `${JSON.stringify(row)}\n`);
    found++;
  }
  console.log(`${folder}: ${found}`);
}
