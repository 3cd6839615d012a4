import { eachIdentifier, identifierTerms, isWordCode, WHOLE_MARK } from './terms.ts';

/** Visits the wanted terms in a line. */
type TermFinder = (line: string, visit: (term: string) => void) => void;

const finders = new WeakMap<ReadonlySet<string>, TermFinder>();

/** The wanted terms in a line. */
export function termsInLine(line: string, asked: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>();
  eachTermInLine(line, asked, (term) => found.add(term));
  return found;
}

/** Calls `visit` for every occurrence of a wanted term in a line. */
export function eachTermInLine(
  line: string,
  asked: ReadonlySet<string>,
  visit: (term: string) => void,
): void {
  let find = finders.get(asked);
  if (find === undefined) {
    find = createFinder(asked);
    finders.set(asked, find);
  }
  find(line, visit);
}

/** Characters that may separate the words of a name. */
const SEPARATORS = [95, 36];
/** Makes a letter lower case and leaves digits as they are. */
const LOWER_CASE_BIT = 32;

/**
 * Most identifiers of a line have nothing to do with the question, and splitting them costs most. Stems begin like
 * their words, and every term has two characters, so only identifiers with the first two of a term are looked at.
 */
function createFinder(asked: ReadonlySet<string>): TermFinder {
  const starts = startsOf(asked);
  return (line, visit) => {
    const look = (from: number, to: number) => {
      for (const term of identifierTerms(line.slice(from, to))) if (asked.has(term)) visit(term);
    };
    let last = 0;
    for (let at = 0; at < line.length; at++) {
      const code = line.charCodeAt(at);
      if (code >= 128) {
        // Other scripts have their own rules.
        eachIdentifier(line, look);
        return;
      }
      if (starts[pair(last, code)] === 1) {
        let from = at - 1;
        while (from > 0 && isWordCode(line.charCodeAt(from - 1))) from--;
        while (at + 1 < line.length && isWordCode(line.charCodeAt(at + 1))) at++;
        look(from, at + 1);
        last = 0;
      } else last = code;
    }
  };
}

/** Which pairs of characters begin a term. */
function startsOf(asked: ReadonlySet<string>): Uint8Array {
  const starts = new Uint8Array(1 << 14);
  for (const term of asked) {
    const whole = term.startsWith(WHOLE_MARK);
    const [first, second] = [term.charCodeAt(whole ? 1 : 0), term.charCodeAt(whole ? 2 : 1)];
    if (first >= 128 || second >= 128) continue;
    starts[pair(first, second)] = 1;
    // Whole names are compared without separators.
    if (whole) for (const separator of SEPARATORS) starts[pair(first, separator)] = 1;
  }
  return starts;
}

function pair(first: number, second: number): number {
  return ((first | LOWER_CASE_BIT) << 7) | (second | LOWER_CASE_BIT);
}
