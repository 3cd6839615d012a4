// Collects documents (code) with the questions (sentences, names) that they answer.
import { words } from './words.mjs';

const MAX_DOCUMENT = 100;
const MAX_QUESTION = 28;
/** A question that many documents answer teaches nothing. */
const MAX_REPEATS = 3;

/** Every definition is kept in memory until the tests and commits were read; a name needs no more than these. */
const MAX_DEFINITIONS = 3;

/**
 * Kinds: d doc comment, n name, c inline comment, g commit and its hunk, f commit and the function it changed, m module
 * doc, x Markdown, p path, i test sentence and the test, t test and the code it calls, s string.
 */
export class Pairs {
  #documents = [];
  #kept = new Set();
  #defined = new Map();
  #repeats = new Map();
  #seed = 12345;
  file = 0;

  get size() {
    return this.#documents.length;
  }

  /** A number between 0 and 1 from a fixed row, so that a run can be repeated. */
  random() {
    this.#seed = (Math.imul(this.#seed, 1103515245) + 12345) & 0x7fffffff;
    return this.#seed / 0x7fffffff;
  }

  /** A document, or undefined for one too short; it is kept once it has a question. */
  document(path, text) {
    const own = words(text).slice(0, MAX_DOCUMENT);
    return own.length < 5 ? undefined : { path, words: own, file: this.file, questions: [] };
  }

  /** Adds a question to a document, unless it is too short or too common. */
  ask(document, kind, text) {
    const own = words(text).slice(0, MAX_QUESTION);
    if (document === undefined || own.length < 2) return;
    const key = own.join(' ');
    const seen = this.#repeats.get(key) ?? 0;
    if (seen >= MAX_REPEATS) return;
    this.#repeats.set(key, seen + 1);
    document.questions.push([kind, key]);
    this.keep(document);
  }

  keep(document) {
    if (document === undefined || document.questions.length === 0 || this.#kept.has(document)) return;
    this.#kept.add(document);
    this.#documents.push(document);
  }

  /** Remembers a document as the definition of a name. */
  define(name, document) {
    const found = this.#defined.get(name) ?? [];
    if (found.length < MAX_DEFINITIONS) this.#defined.set(name, [...found, document]);
  }

  /** The documents that define a name. */
  defined(name) {
    return this.#defined.get(name) ?? [];
  }

  /** Lines `D, same file as before, path words, words` and `kind, words` for its questions; at most `most` questions. */
  write(most) {
    const total = this.#documents.reduce((sum, { questions }) => sum + questions.length, 0);
    const share = Math.min(1, most / total);
    const lines = [];
    let last = -1;
    for (const { path, words: own, file, questions } of this.#documents) {
      // What people wrote for readers is worth more.
      const written = questions.some(([kind]) => 'dmx'.includes(kind));
      if (this.random() > (written ? Math.min(1, share * 1.4) : share * 0.9)) continue;
      lines.push(`D\t${file === last ? 1 : 0}\t${path}\t${own.join(' ')}`);
      last = file;
      for (const [kind, question] of questions) lines.push(`${kind}\t${question}`);
    }
    return `${lines.join('\n')}\n`;
  }
}

/** The words of a path: its stem and two folders. */
export function pathWords(path) {
  const parts = path.replace(/\.[A-Za-z0-9]+$/, '').split('/');
  return words(parts.slice(-3).join(' ')).slice(-10).join(' ');
}
