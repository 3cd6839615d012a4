/** Lines that a change adds and removes. */
export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

export function linesOf(text: string): number {
  if (text === '') return 0;
  let lines = text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

/** Counts the lines of a replaced passage, except those that both versions begin or end with. */
export function passageCounts(before: string, after: string): LineCounts {
  const old = before === '' ? [] : before.split('\n');
  const now = after === '' ? [] : after.split('\n');
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  return { added: now.length - head - tail, removed: old.length - head - tail };
}

/** Counts the `+` and `-` lines of a diff or patch, except its headers. */
export function diffCounts(diff: string): LineCounts {
  const lines = diff.split('\n');
  const isHeader = (at: number) =>
    lines[at]?.startsWith('--- ') === true && lines[at + 1]?.startsWith('+++ ') === true;
  return markedCounts(lines.filter((_, at) => !isHeader(at) && !isHeader(at - 1)));
}

/** Counts the `+` and `-` lines of hunks. */
export function markedCounts(lines: readonly unknown[]): LineCounts {
  let added = 0;
  let removed = 0;
  for (const line of lines) {
    if (typeof line !== 'string') continue;
    if (line.startsWith('+')) added++;
    else if (line.startsWith('-')) removed++;
  }
  return { added, removed };
}

export function sumCounts(counts: readonly LineCounts[]): LineCounts {
  return {
    added: counts.reduce((sum, count) => sum + count.added, 0),
    removed: counts.reduce((sum, count) => sum + count.removed, 0),
  };
}
