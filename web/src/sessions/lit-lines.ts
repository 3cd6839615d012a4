import { diffLines } from './diff-lines.ts';

/**
 * The numbers, from 1, of the lines in a text that an edit wrote: those of its diff that are still there. A run of added
 * lines is matched as a whole, so that a single bracket does not light up everywhere.
 */
export function litLines(text: string, diff: string): ReadonlySet<number> {
  const lines = text.split('\n').map((line) => line.trim());
  const lit = new Set<number>();
  for (const run of addedRuns(diff)) {
    const at = bestPlace(lines, run);
    for (const [i, line] of run.entries()) if (lines[at + i] === line) lit.add(at + i + 1);
  }
  return lit;
}

function addedRuns(diff: string): readonly (readonly string[])[] {
  const runs: string[][] = [];
  let open: string[] | undefined;
  for (const { kind, text } of diffLines(diff)) {
    if (kind !== 'in') {
      open = undefined;
      continue;
    }
    if (open === undefined) {
      open = [];
      runs.push(open);
    }
    open.push(text.trim());
  }
  return runs;
}

/** Where the most characters of a run match; -1 if only brackets and blanks would. */
function bestPlace(lines: readonly string[], run: readonly string[]): number {
  let best = { at: -1, agree: 2 };
  for (let at = 0; at < lines.length; at++) {
    let agree = 0;
    for (const [i, line] of run.entries()) if (lines[at + i] === line) agree += line.length;
    if (agree > best.agree) best = { at, agree };
  }
  return best.at < 0 ? Number.NEGATIVE_INFINITY : best.at;
}
