import { redact } from '../../contract/redact.ts';
import { errorClass, errorLine } from '../../sessions/model/call-errors.ts';
import { checkError } from '../../sessions/model/check-errors.ts';
import type { FixedFailure } from '../../sessions/store/fixed-failures.ts';

/** An error prepared for comparison: its classes, and the names in it. */
export interface AskedError {
  readonly text: string;
  readonly classes: readonly string[];
  readonly names: ReadonlySet<string>;
  /** The tests that failed. */
  readonly tests: ReadonlySet<string>;
  /** It only says that something failed, such as a package, or `FAIL`. */
  readonly vague: boolean;
}

/** How similar an earlier failure is: the same error, or only one of the same class. */
export type Likeness = 'same' | 'class';

export interface RankedFix {
  readonly failure: FixedFailure;
  readonly likeness: Likeness;
}

/** A name is distinctive if at most this share of the failures of a class have it. */
const RARE_SHARE = 0.2;
/** If a class has at most this many different errors, they all mean the same thing. */
const FEW_ERRORS = 3;
const MIN_NAME_LENGTH = 4;

/** What a printed error is about. */
export function askedError(output: string): AskedError {
  const clean = (text: string) => redact(text);
  const check = checkError(output, clean);
  const line = errorLine(output, clean);
  const text = check?.error ?? line;
  const classes = [check?.kind, ...(line === '' ? [] : [errorClass(line)])];
  if (check === undefined && isMessage(line))
    classes.push(...PLACES.flatMap((place) => withPlace(place, line)));
  return {
    text,
    classes: [...new Set(classes.flatMap((one) => one ?? []))],
    names: namesIn(`${text} ${line}`),
    tests: new Set(check?.failures.flatMap(({ kind, name }) => (kind === 'test' ? [topTest(name)] : []))),
    vague: check === undefined ? !isMessage(line) : check.failures.every(({ kind }) => kind === 'package'),
  };
}

/** A test without its subtest: `TestParse/empty` is a part of `TestParse`. */
function topTest(name: string): string {
  return /^\w+(?=\/)/.exec(name)?.[0] ?? name;
}

/** Locations as compilers print them before a message. */
const PLACES = ['a.go:1:1: ', 'a.py:1: '];

/** The classes of a message that was given without its location. */
function withPlace(place: string, message: string): readonly (string | undefined)[] {
  const line = `${place}${message}`;
  return [checkError(line, (text) => text)?.kind, errorClass(line)];
}

/** A single word says too little. */
export function isMessage(text: string): boolean {
  return /\S\s+\S/.test(text);
}

/** Whether an error contains these words as whole words. */
export function says(error: string, words: string): boolean {
  if (!isMessage(words)) return false;
  const [text, wanted] = [error.toLowerCase(), words.toLowerCase()];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const around = `${text[at - 1] ?? ' '}${wanted}${text[at + wanted.length] ?? ' '}`;
    if (!/^\w\w|\w\w$/.test(around)) return true;
  }
  return false;
}

/** The words of an error that could be names. */
function namesIn(text: string): Set<string> {
  return new Set((text.match(/[A-Za-z_][\w.]*\w/g) ?? []).filter((word) => word.length >= MIN_NAME_LENGTH));
}

/** An example is better if the edits are in the file the error names, and if little happened before it was fixed. */
const NAMED_FILE = 3;
const TOLD_APART = 10;

/**
 * Earlier failures, the most similar first. Two errors of a class are the same if they share a name that few others of
 * the class have, or if the class has few errors at all; two test failures only if they share a failed test.
 */
export function rankFixes(asked: AskedError, failures: readonly FixedFailure[]): readonly RankedFix[] {
  if (asked.vague) return [];
  const names = failures.map(({ error }) => namesIn(error));
  const sessions = new Map<string, Set<string>>();
  for (const [at, words] of names.entries())
    for (const word of words)
      sessions.set(word, (sessions.get(word) ?? new Set()).add(failures[at]?.session.id ?? ''));
  const all = new Set(failures.map(({ session }) => session.id)).size;
  const errors = new Set(failures.map(({ error }) => errorClass(error))).size;
  const wanted = errorClass(asked.text);
  return failures
    .map((failure, at) => {
      let score = 0;
      let rare = false;
      for (const word of names[at] ?? []) {
        if (!asked.names.has(word)) continue;
        const share = (sessions.get(word)?.size ?? 1) / Math.max(1, all);
        score += Math.log(1 + 1 / share);
        if (share <= RARE_SHARE || all <= FEW_ERRORS) rare = true;
      }
      const items = failure.error.split('; ');
      const same =
        asked.tests.size > 0
          ? items.some((item) => asked.tests.has(topTest(item)))
          : errorClass(failure.error) === wanted || says(failure.error, asked.text);
      const alike = same || (asked.tests.size === 0 && (rare || errors <= FEW_ERRORS));
      const likeness: Likeness = alike ? 'same' : 'class';
      const example =
        (failure.namedFile ? NAMED_FILE : 0) -
        Math.log2(1 + failure.passed - failure.call) / 2 -
        (items.length - 1) / 2;
      return { failure, likeness, score: score + example + (same ? TOLD_APART : 0) };
    })
    .sort(
      (a, b) =>
        Number(b.likeness === 'same') - Number(a.likeness === 'same') ||
        b.score - a.score ||
        b.failure.ms - a.failure.ms,
    );
}
