// node encode.mjs PAIRS_FOLDER OUT [--words 34721]: the vocabulary and the training set as plain arrays. With
// --vocabulary FILE its words are used instead, and with --share 0.2 only a fifth of the documents: so the pairs also
// teach train-reader.py.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createVocabulary } from './words.mjs';

const MAX_DOCUMENT = 100;
const MAX_PATH = 10;
const MAX_QUESTION = 32;
const MAX_QUESTIONS = 250;
/** A word of the vocabulary stands in this many repositories, this many times. */
const MIN_REPOSITORIES = 3;
const MIN_TIMES = 8;
/** No repository counts a word more often than this. */
const MAX_TIMES = 3000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    words: { type: 'string', default: '34721' },
    vocabulary: { type: 'string' },
    share: { type: 'string', default: '1' },
  },
});
const [folder, out] = positionals;
if (out === undefined) {
  console.error('usage: encode.mjs PAIRS_FOLDER OUT [--words N] [--vocabulary FILE] [--share S]');
  process.exit(2);
}
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.txt'))
  .sort();
const linesOf = (name) =>
  readFileSync(join(folder, name), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t'));

function chooseWords() {
  const found = new Map();
  for (const name of files) {
    const own = new Map();
    for (const [kind, ...fields] of linesOf(name)) {
      const texts = kind === 'D' ? fields.slice(1) : fields;
      for (const word of texts.join(' ').split(' ')) if (word) own.set(word, (own.get(word) ?? 0) + 1);
    }
    for (const [word, count] of own) {
      const { times, repositories } = found.get(word) ?? { times: 0, repositories: 0 };
      found.set(word, { times: times + Math.min(count, MAX_TIMES), repositories: repositories + 1 });
    }
  }
  return [...found]
    .filter(
      ([word, { times, repositories }]) =>
        repositories >= MIN_REPOSITORIES && times >= MIN_TIMES && word.length <= 24,
    )
    .sort(([, a], [, b]) => b.times * Math.sqrt(b.repositories) - a.times * Math.sqrt(a.repositories))
    .slice(0, Number(values.words))
    .map(([word]) => word);
}

const list = values.vocabulary
  ? readFileSync(values.vocabulary, 'utf8').trimEnd().split('\n')
  : ['<pad>', '<sep>', ...chooseWords()];
const vocabulary = createVocabulary(list);
const encode = (text, most) => [...vocabulary.encode(text)].slice(0, most);
const NAMES = ['dtok', 'qtok', 'dl', 'pl', 'ff', 'nq', 'ql', 'qk'];
/** One typed array per column and repository: all numbers together are too many for a plain array. */
const finished = Object.fromEntries(NAMES.map((name) => [name, []]));
const wide = (name) => name.endsWith('tok');
const repositories = [];
let documents = 0;
let questions = 0;
const seen = new Set();
/** The same documents each time. */
let state = 5;
const random = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};
for (const name of files) {
  const columns = Object.fromEntries(NAMES.map((column) => [column, []]));
  let open = false;
  for (const [kind, ...fields] of linesOf(name)) {
    if (kind === 'D') {
      const [sameFile, path, text] = fields;
      open = !seen.has(text) && random() < Number(values.share);
      if (!open) continue;
      seen.add(text);
      const pathIds = [...vocabulary.encode(path)].slice(-MAX_PATH);
      const ids = encode(text, MAX_DOCUMENT);
      for (const id of [...pathIds, ...ids]) columns.dtok.push(id);
      columns.pl.push(pathIds.length);
      columns.dl.push(ids.length);
      columns.ff.push(Number(sameFile));
      columns.nq.push(0);
    } else if (open && columns.nq.at(-1) < MAX_QUESTIONS) {
      const ids = encode(fields[0], MAX_QUESTION);
      if (ids.length < 2) continue;
      for (const id of ids) columns.qtok.push(id);
      columns.ql.push(ids.length);
      columns.qk.push(kind.charCodeAt(0));
      columns.nq[columns.nq.length - 1]++;
    }
  }
  for (const column of NAMES)
    finished[column].push((wide(column) ? Uint16Array : Uint8Array).from(columns[column]));
  repositories.push([name.replace('.txt', ''), columns.dl.length]);
  documents += columns.dl.length;
  questions += columns.ql.length;
}
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'vocab.txt'), `${list.join('\n')}\n`);
writeFileSync(join(out, 'repos.json'), JSON.stringify(repositories));
for (const name of NAMES) {
  const bytes = finished[name].map(({ buffer }) => Buffer.from(buffer));
  writeFileSync(join(out, `${name}.${wide(name) ? 'u16' : 'u8'}`), Buffer.concat(bytes));
}
console.log(`${list.length} words, ${documents} documents, ${questions} questions`);
