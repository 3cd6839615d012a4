import { diffArrays, diffWordsWithSpace } from 'diff';
import type { Range } from '../code/code-text.tsx';

export type LineKind = 'in' | 'out' | 'same' | 'place';

/** A line of a diff without its sign; what changed inside it is marked. */
export interface DiffLine {
  readonly kind: LineKind;
  readonly text: string;
  readonly changed: readonly Range[];
}

const PLACE = /^(\+\+\+|---|\*\*\*|@@| @@)/;
const HUNK = /^ ?@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@ ?(.*)$/;
/** In longer lines, comparing words costs more than it helps. */
const MAX_LINE_LENGTH = 600;
/** Lines that share less than this are unrelated. */
const MIN_SHARED = 0.3;

/** The lines of a unified diff; a removed line is compared with the added one that replaces it. */
export function diffLines(text: string): readonly DiffLine[] {
  // A head without line numbers says something only between two parts.
  const lines = text
    .replace(/^ ?@@\n/, '')
    .split('\n')
    .map((line): DiffLine => {
      if (PLACE.test(line)) return { kind: 'place', text: placeText(line), changed: [] };
      const kind = line.startsWith('+') ? 'in' : line.startsWith('-') ? 'out' : 'same';
      return { kind, text: /^[+\- ]/.test(line) ? line.slice(1) : line, changed: [] };
    });
  for (let at = 0; at < lines.length; ) {
    const removed = runOf(lines, at, 'out');
    const added = runOf(lines, at + removed, 'in');
    for (let i = 0; i < Math.min(removed, added); i++) {
      const before = lines[at + i];
      const after = lines[at + removed + i];
      const words = before && after && changedWords(before.text, after.text);
      if (!words) continue;
      lines[at + i] = { ...before, changed: words.out };
      lines[at + removed + i] = { ...after, changed: words.in };
    }
    at += Math.max(1, removed + added);
  }
  return lines;
}

/** Where a part of a diff is, in words; a head without line numbers leaves a gap. */
function placeText(line: string): string {
  const [, start, count = '1', around = ''] = HUNK.exec(line) ?? [];
  if (start === undefined) return /^ ?@@/.test(line) ? line.replace(/^ ?@@ ?| ?@@$/g, '') || '⋯' : line;
  const last = Number(start) + Math.max(1, Number(count)) - 1;
  const lines = last === Number(start) ? `Line ${start}` : `Lines ${start} to ${last}`;
  return around === '' ? lines : `${lines}, ${around}`;
}

function runOf(lines: readonly DiffLine[], from: number, kind: LineKind): number {
  let to = from;
  while (lines[to]?.kind === kind) to++;
  return to - from;
}

/** The parts of two lines that differ; undefined if nearly everything does. */
function changedWords(before: string, after: string) {
  if (before.length > MAX_LINE_LENGTH || after.length > MAX_LINE_LENGTH) return undefined;
  const found = { in: [] as Range[], out: [] as Range[] };
  let [left, right, shared] = [0, 0, 0];
  for (const { value, added, removed } of diffWordsWithSpace(before, after)) {
    if (added) found.in.push({ from: right, to: right + value.length });
    else if (removed) found.out.push({ from: left, to: left + value.length });
    else shared += value.trim().length;
    if (!added) left += value.length;
    if (!removed) right += value.length;
  }
  const longest = Math.max(before.trim().length, after.trim().length, 1);
  return shared / longest < MIN_SHARED ? undefined : found;
}

/** How many lines a diff adds and removes. */
export function diffCounts(text: string): { readonly added: number; readonly removed: number } {
  const lines = text.split('\n').filter((line) => !PLACE.test(line));
  return {
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
  };
}

/** Two texts as a unified diff without line numbers. */
export function lineDiff(before: string, after: string): string {
  const linesOf = (text: string) => (text === '' ? [] : text.split('\n'));
  return diffArrays(linesOf(before), linesOf(after))
    .flatMap(({ value, added, removed }) =>
      value.map((line) => `${added ? '+' : removed ? '-' : ' '}${line}`),
    )
    .join('\n');
}
