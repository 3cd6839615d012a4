import { eachIdentifier, identifierTerms, WHOLE_MARK } from './terms.ts';

/** Finds the terms in a line that were asked for. */
type TermFinder = (line: string) => ReadonlySet<string>;

const finders = new WeakMap<ReadonlySet<string>, TermFinder>();
const NOTHING: ReadonlySet<string> = new Set();

/** The terms in a line that were asked for. */
export function termsInLine(line: string, asked: ReadonlySet<string>): ReadonlySet<string> {
  let find = finders.get(asked);
  if (find === undefined) {
    find = createFinder(asked);
    finders.set(asked, find);
  }
  return find(line);
}

const [UNDERSCORE, DOLLAR] = [95, 36];
/** Makes a letter small and leaves digits as they are. */
const SMALL = 32;

/**
 * Most identifiers of a line have nothing to do with the question, and splitting them costs most. Stems begin like
 * their words, and every term has two characters, so an identifier without the first two of any term is passed over.
 */
function createFinder(asked: ReadonlySet<string>): TermFinder {
  const starts = new Uint8Array(1 << 14);
  for (const term of asked) {
    const start = term.startsWith(WHOLE_MARK) ? 1 : 0;
    const [first, second] = [term.charCodeAt(start), term.charCodeAt(start + 1)];
    if (first < 128 && second < 128) starts[pair(first, second)] = 1;
  }
  const mayHave = (line: string, from: number, to: number): boolean => {
    let last = 0;
    for (let at = from; at < to; at++) {
      const code = line.charCodeAt(at);
      // Whole names are compared without these, and other scripts have rules of their own.
      if (code >= 128 || code === UNDERSCORE || code === DOLLAR) return true;
      if (starts[pair(last, code)] === 1) return true;
      last = code;
    }
    return false;
  };
  return (line) => {
    let found: Set<string> | undefined;
    eachIdentifier(line, (from, to) => {
      if (!mayHave(line, from, to)) return;
      for (const term of identifierTerms(line.slice(from, to))) {
        if (!asked.has(term)) continue;
        found ??= new Set();
        found.add(term);
      }
    });
    return found ?? NOTHING;
  };
}

function pair(first: number, second: number): number {
  return ((first | SMALL) << 7) | (second | SMALL);
}
