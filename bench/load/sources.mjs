import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { random, shuffled } from './random.mjs';

const MIN_WORDS = 3;
const MAX_WORDS = 12;

/** A source tree with what is needed to ask about it and to know the right answers. */
export function readSources(tree) {
  const entries = readdirSync(tree, { recursive: true, withFileTypes: true });
  const folders = new Map([[tree, readdirSync(tree)]]);
  const files = new Map();
  for (const entry of entries) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    if (entry.isDirectory()) folders.set(path, readdirSync(path));
    else
      files.set(relative(tree, path), {
        path,
        size: statSync(path).size,
        lines: readFileSync(path, 'utf8').split(/\r?\n/),
      });
  }
  return { tree, folders, files, ...names(files), questions: questions(files) };
}

/** The lines that each word is on, and all words in one text. */
function names(files) {
  const places = new Map();
  for (const [path, { lines }] of files)
    for (const [index, line] of lines.entries())
      for (const word of new Set(line.match(/\w+/g))) {
        const known = places.get(word);
        const place = `${path}:${index + 1}`;
        if (known) known.push(place);
        else places.set(word, [place]);
      }
  return { places, words: `\n${[...places.keys()].join('\n')}\n` };
}

/** Comments in the sources as questions, without duplicates, each with the file it is from. */
function questions(files) {
  const found = new Map();
  const add = (text, path) => {
    const words = text.match(/[A-Za-z][A-Za-z'-]+/g) ?? [];
    const question = words.slice(0, MAX_WORDS).join(' ');
    if (words.length >= MIN_WORDS && !found.has(question)) found.set(question, path);
  };
  for (const [path, { lines }] of files)
    for (const line of lines) {
      const comment = /^\s*(?:\/\*\*|\/\/|\*)\s(.*)$/.exec(line)?.[1];
      if (comment) for (const sentence of comment.split(/[.;:] /)) add(sentence, path);
      // A test's name says what the code does.
      const title = /^\s*(?:it|test|describe)\(\s*'([^']+)'/.exec(line)?.[1];
      if (title) add(title, path);
    }
  return shuffled([...found], 11);
}

/**
 * Patterns as agents write them, without duplicates, each with the lines that match it: `PATH:LINE`. Each is made from a
 * random line, since people search for what they have just read: a name in it, two names in it, a name and what follows
 * it, or one of two names.
 */
export function* patterns({ files, places, words }) {
  const next = random(5);
  const lines = [...files.values()].flatMap((file) => file.lines).filter((line) => namesIn(line).length > 0);
  const draw = (values) => values[Math.floor(next() * values.length)];
  const given = new Set();
  for (;;) {
    const line = draw(lines);
    const name = draw(namesIn(line));
    const elsewhere = draw(namesIn(draw(lines)));
    const [, rest] = new RegExp(`\\b${name}\\b(\\W{1,3}\\w*)`).exec(line) ?? [];
    const [pattern, candidates] = draw([
      () => [name, having(name, places, words)],
      () => [`\\b${name}\\b.*\\b${namesIn(line).at(-1)}\\b`, places.get(name)],
      () => [`\\b${name}\\b${escaped(rest ?? '')}`, places.get(name)],
      () => [`\\b(?:${name}|${elsewhere})\\b`, [...places.get(name), ...places.get(elsewhere)]],
    ])();
    if (given.has(pattern)) continue;
    given.add(pattern);
    const regex = new RegExp(withUnicodeEnds(pattern));
    yield [pattern, new Set(candidates.filter((place) => regex.test(lineAt(files, place))))];
  }
}

/**
 * Names with capitals only: a pattern without any ignores case, and the word list cannot tell which lines match then.
 * Long words and words with digits may be made-up secrets of tests, which no search finds.
 */
const namesIn = (line) =>
  (line.match(/\b[A-Za-z]\w{4,24}\b/g) ?? []).filter((name) => /[A-Z]/.test(name) && !/\d/.test(name));

/** To the search, a letter such as ä is part of a word; JavaScript's `\b` does not know that. */
const withUnicodeEnds = (pattern) =>
  pattern.replace(/\\(.)/g, (whole, letter) =>
    letter === 'b' ? '(?:(?<![\\w\\u0080-\\uffff])(?=\\w)|(?<=\\w)(?![\\w\\u0080-\\uffff]))' : whole,
  );

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The lines that have a word containing the name. */
function having(name, places, words) {
  const all = new Set();
  for (let at = words.indexOf(name); at !== -1; at = words.indexOf(name, at + 1)) {
    const word = words.slice(words.lastIndexOf('\n', at) + 1, words.indexOf('\n', at));
    for (const place of places.get(word)) all.add(place);
  }
  return [...all];
}

function lineAt(files, place) {
  const at = place.lastIndexOf(':');
  return files.get(place.slice(0, at)).lines[Number(place.slice(at + 1)) - 1];
}
