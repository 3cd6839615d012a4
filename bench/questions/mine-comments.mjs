// node bench/questions/mine-comments.mjs OUT COUNT REPOSITORY...: makes questions about known functions from their
// comments: the first paragraph above (or in) a function is the question, and is taken out of the file, so that only
// the code can answer. It CHANGES the checked-out repositories; use copies. COUNT is the maximum per repository. Left out
// are comments that name the function or have most of the words of its name, and texts that occur twice.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadSources } from '../source.mjs';

const MODULES = [
  'src/code/languages',
  'src/code/symbols/extract/symbol-reader',
  'src/code/symbols/extract/languages/index',
  'src/code/words/split-words',
  'src/code/words/stem',
];
const MAX_FILE_BYTES = 200_000;
const MAX_BUFFER = 1 << 28;
const [MIN_WORDS, MAX_WORDS] = [8, 45];
const MIN_LINES = 4;
const PER_FILE = 2;
/** Lines of the head of a Python function. */
const MAX_HEAD = 12;
const QUOTES = /^\s*[rub]?("""|''')/i;
const MAX_NAME_SHARE = 0.5;
const ASIDE =
  /(^|[/_.-])(tests?|specs?|testing|testdata|fixtures?|examples?|docs?|vendor|third_party|bench(marks?)?|generated)([/_.-]|$)|\.(md|txt|json|ya?ml|lock|toml|d\.ts)$/i;
const NO_QUESTION =
  /copyright|licen[sc]e|todo|fixme|xxx|hack\b|deprecated|eslint|noqa|pragma|inheritdoc|@see|https?:|example|this (function|method) (is|was)|see above|same as|^(made|this one|need|nb|note|we )\b/i;
const ENGLISH = /\b(the|a|an|of|to|is|for|in|from|with|if|and|that|when|or|by)\b/gi;
const PARAGRAPH_END =
  /^\s*$|^\s*(@\w|:\w+:?|args?:|arguments:|parameters?:?$|params?:|returns?:|raises:|throws:|note:|#+ |```|>>>|\.\. |[-*] |-{3,}|={3,}|<p>)/i;

const [out, most, ...repositories] = process.argv.slice(2);
if (!out || !Number(most) || repositories.length === 0) {
  console.error('usage: mine-comments.mjs OUT COUNT REPOSITORY...');
  process.exit(2);
}
const product = await loadSources('questions', MODULES);
const readSymbols = await product.createSymbolReader(product.symbolLanguages);
writeFileSync(out, '');
for (const folder of repositories.map((one) => resolve(one))) mine(folder);

function mine(folder) {
  const chosen = choose(foundIn(folder));
  for (const path of new Set(chosen.map((one) => one.path))) {
    const own = chosen.filter((one) => one.path === path);
    const file = join(folder, path);
    const lines = readFileSync(file, 'utf8').split('\n');
    const gone = new Set(own.flatMap(({ comment }) => range(comment.from, comment.to)));
    const kept = lines.filter((_, at) => !gone.has(at + 1));
    writeFileSync(file, kept.join('\n'));
    const now = functionsOf(kept.join('\n'), path);
    for (const one of own) {
      const before = [...gone].filter((line) => line < one.line).length;
      const found = now.functions.find(({ name, line }) => name === one.name && line === one.line - before);
      if (found === undefined) continue;
      const { name, from, to } = found;
      const question = { repo: folder, question: one.question, path, function: name, start: from, end: to };
      appendFileSync(out, `${JSON.stringify({ ...question, from: 'comment' })}\n`);
    }
  }
  console.log(`${folder}: ${chosen.length}`);
}

function foundIn(folder) {
  const paths = execFileSync('git', ['-C', folder, 'ls-files', '-z'], {
    encoding: 'utf8',
    maxBuffer: MAX_BUFFER,
  }).split('\0');
  const found = [];
  const seen = new Map();
  for (const path of paths.filter((one) => one !== '' && !ASIDE.test(one))) {
    const text = textOf(join(folder, path));
    const { functions = [], comments = [], language } = text === undefined ? {} : functionsOf(text, path);
    const lines = text?.split('\n') ?? [];
    for (const one of functions) {
      const comment = commentOf(one, comments, language, lines);
      if (comment === undefined) continue;
      const question = questionOf(lines.slice(comment.from - 1, comment.to), one.name);
      if (question === undefined) continue;
      seen.set(question, (seen.get(question) ?? 0) + 1);
      found.push({ path, question, name: one.name, line: one.line, comment });
    }
  }
  return found.filter(({ question }) => seen.get(question) === 1);
}

function textOf(file) {
  try {
    const text = readFileSync(file, 'utf8');
    return text.length > MAX_FILE_BYTES ? undefined : text;
  } catch {
    return undefined;
  }
}

function functionsOf(text, path) {
  const language = product.languageOf(path);
  const symbols = language === undefined ? undefined : readSymbols(text, path, language);
  const functions = (symbols?.definitions ?? []).filter(
    ({ kind, isPrototype, isTest, from, to }) =>
      (kind === 'function' || kind === 'method') && !isPrototype && !isTest && to - from >= MIN_LINES,
  );
  return { functions, comments: symbols?.comments ?? [], language };
}

/** The comment above a function; in Python, the one that begins right after its head. */
function commentOf({ from, to, line }, comments, language, lines) {
  if (language !== 'python') return comments.find((span) => span.to === from - 1);
  return comments.find(
    (span) =>
      span.from > line && span.from <= line + MAX_HEAD && span.to < to && QUOTES.test(lines[span.from - 1]),
  );
}

function questionOf(lines, name) {
  const plain = lines.map((line) =>
    line
      .replace(
        /^\s*(?:\/\*+!?|\*+\/|\*|\/{2,}!?|#+|--+\|?|;+|[rub]?"""|[rub]?'''|@(?:doc|moduledoc)\s+"""|\{-\|?)\s?/i,
        '',
      )
      .replace(/\s*(?:\*\/|"""|'''|-\})\s*$/, ''),
  );
  const first = plain.findIndex((line) => /\w/.test(line));
  if (first === -1) return undefined;
  const end = plain.findIndex((line, at) => at > first && PARAGRAPH_END.test(line));
  const text = plain
    .slice(first, end === -1 ? undefined : end)
    .join(' ')
    .replace(/<\/?\w+>|[`*{}]|@link|@code/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const question = shorter(text.startsWith(`${name} `) ? text.slice(name.length + 1) : text);
  const words = question.split(' ');
  if (words.length < MIN_WORDS || words.length > MAX_WORDS || NO_QUESTION.test(question)) return undefined;
  if ((question.match(ENGLISH) ?? []).length < 2 || /[^\x20-\x7e]|[=;]/.test(question)) return undefined;
  if (/^\s*@/.test(plain[first]) || question.toLowerCase().includes(name.toLowerCase())) return undefined;
  return shareOfName(question, name) > MAX_NAME_SHARE ? undefined : question;
}

/** Whole sentences, as many as fit. */
function shorter(text) {
  let kept = '';
  for (const sentence of text.split(/(?<=[.!?])\s+(?=[A-Z])/)) {
    const next = kept === '' ? sentence : `${kept} ${sentence}`;
    if (next.split(' ').length > MAX_WORDS) break;
    kept = next;
  }
  return kept;
}

function shareOfName(question, name) {
  const asked = new Set(product.splitWords(question).map(product.stem));
  const own = product.splitWords(name).map(product.stem);
  return own.length === 0 ? 1 : own.filter((word) => asked.has(word)).length / own.length;
}

/** Spread over the files, the same ones each time. */
function choose(found) {
  const order = (one) => createHash('sha1').update(`${one.path} ${one.name} ${one.line}`).digest('hex');
  const inFile = new Map();
  return found
    .map((one) => ({ ...one, order: order(one) }))
    .sort((a, b) => (a.order < b.order ? -1 : 1))
    .filter(({ path }) => {
      inFile.set(path, (inFile.get(path) ?? 0) + 1);
      return inFile.get(path) <= PER_FILE;
    })
    .slice(0, Number(most));
}

function range(from, to) {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}
