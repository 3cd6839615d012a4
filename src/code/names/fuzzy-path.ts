import { editDistance } from './edit-distance.ts';

/*
 * How well a few typed letters fit the path of a file. The letters of a term have to occur in the path in order;
 * letters that begin a word, follow each other or are in the file's own name count more.
 */

const MATCH = 16;
const BEGINS_NAME = 14;
const BEGINS_WORD = 10;
const FOLLOWS = 12;
const IN_NAME = 2;
const SAME_CASE = 1;
const GAP = -2;
const LONGER_GAP = -0.5;
const WHOLE_NAME = 60;

/** What to look for, prepared once for many paths. */
export interface FuzzyQuery {
  readonly terms: readonly string[];
}

/** A query of words that all have to fit. `name:40` and `name:40:7`, as compilers write places, mean the file. */
export function fuzzyQuery(text: string): FuzzyQuery {
  return {
    terms: text
      .trim()
      .split(/\s+/)
      .map((term) => term.replace(/(?<=.)(?::\d+){1,2}:?$/, '').replace(/^\.\//, ''))
      .filter((term) => term !== ''),
  };
}

/** How well a path fits, or undefined if it does not. Higher is better. */
export function fuzzyScore({ terms }: FuzzyQuery, path: string): number | undefined {
  const lower = path.toLowerCase();
  let sum = 0;
  for (const term of terms) {
    const score = termScore(term, path, lower);
    if (score === undefined) return undefined;
    sum += score;
  }
  // Of paths that fit equally well, the shorter one is meant more often.
  return sum - path.length / 50;
}

function termScore(term: string, path: string, lower: string): number | undefined {
  const wanted = term.toLowerCase();
  if (!isSubsequence(wanted, lower)) return undefined;
  const nameAt = lower.lastIndexOf('/') + 1;
  const name = lower.slice(nameAt);
  const whole =
    name === wanted || name.replace(/(?<=.)\.[^.]*$/, '') === wanted || lower.endsWith(`/${wanted}`);
  return best(term, wanted, path, lower, nameAt) + (whole ? WHOLE_NAME : 0);
}

function isSubsequence(wanted: string, text: string): boolean {
  let at = -1;
  for (const letter of wanted) {
    at = text.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}

/**
 * The best way to place the letters, by dynamic programming. `ending[i]` is the best score of the letters so far if the
 * last one is at place i; `before` is the best that ended earlier, less what the gap since costs.
 */
function best(term: string, wanted: string, path: string, lower: string, nameAt: number): number {
  const length = path.length;
  let ending = new Float64Array(length).fill(Number.NEGATIVE_INFINITY);
  for (let letter = 0; letter < wanted.length; letter++) {
    const next = new Float64Array(length).fill(Number.NEGATIVE_INFINITY);
    let before = letter === 0 ? 0 : Number.NEGATIVE_INFINITY;
    for (let place = 0; place < length; place++) {
      const adjacent = place === 0 ? Number.NEGATIVE_INFINITY : (ending[place - 1] ?? 0);
      if (lower[place] === wanted[letter]) {
        const here = MATCH + bonus(path, place, nameAt) + (path[place] === term[letter] ? SAME_CASE : 0);
        next[place] = here + Math.max(before, adjacent + FOLLOWS);
      }
      if (letter > 0) before = Math.max(before + LONGER_GAP, adjacent + GAP);
    }
    ending = next;
  }
  return ending.reduce((most, score) => Math.max(most, score), Number.NEGATIVE_INFINITY);
}

function bonus(path: string, place: number, nameAt: number): number {
  const inName = place >= nameAt ? IN_NAME : 0;
  if (place === nameAt) return BEGINS_NAME + inName;
  if (place === 0) return BEGINS_WORD;
  const before = path[place - 1] ?? '';
  const here = path[place] ?? '';
  const begins = /[/._\- ]/.test(before) || (/[a-z\d]/.test(before) && /[A-Z]/.test(here));
  return (begins ? BEGINS_WORD : 0) + inName;
}

/** Shorter names are similar by chance, by one error or by two. */
const [MIN_LENGTH, MIN_LENGTH_OF_TWO] = [5, 8];

/** Whether the query is in the file's own name as it was typed. */
export function isInName({ terms }: FuzzyQuery, path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return terms.some((term) => name.includes(term.toLowerCase().split('/').at(-1) ?? ''));
}

/** The number of typing errors that make a file's name of the query, if they are one or two. */
export function typingErrors({ terms }: FuzzyQuery, path: string): number | undefined {
  const [wanted = '', ...others] = terms.map((term) => term.toLowerCase());
  if (others.length > 0 || wanted.length < MIN_LENGTH) return undefined;
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const own = wanted.includes('.') ? name : name.replace(/(?<=.)\.[^.]*$/, '');
  return editDistance(wanted, own, wanted.length < MIN_LENGTH_OF_TWO ? 1 : 2);
}

/** How many pairs of letters a name and the last part of a query share, from 0 to 1: for a query with a typing error. */
export function nameLikeness({ terms }: FuzzyQuery, path: string): number {
  const asked = pairs(terms.join(' ').toLowerCase().split('/').at(-1) ?? '');
  const own = pairs(path.slice(path.lastIndexOf('/') + 1).toLowerCase());
  const size = asked.size + own.size;
  if (size === 0) return 0;
  let shared = 0;
  for (const pair of asked) if (own.has(pair)) shared++;
  return (2 * shared) / size;
}

function pairs(text: string): Set<string> {
  const found = new Set<string>();
  for (let at = 0; at + 1 < text.length; at++) found.add(text.slice(at, at + 2));
  return found;
}
