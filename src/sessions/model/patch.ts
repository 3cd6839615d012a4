import { countOf } from '../../contract/format.ts';
import type { Touch } from './event.ts';
import { diffCounts } from './line-counts.ts';

const SECTION = /^(?=\*\*\* (?:Add|Update|Delete) File: )/m;
const HEADER = /^\*\*\* (Add|Update|Delete) File: (.+)$/m;
const MOVE = /^\*\*\* Move to: (.+)$/m;
const ACTIONS = { Add: 'write', Update: 'edit', Delete: 'delete' } as const;

/** Files that an apply_patch text adds, changes, moves or deletes. */
export function patchTouches(patch: string): readonly Touch[] {
  const touches: Touch[] = [];
  const moves: Touch[] = [];
  for (const section of patch.split(SECTION)) {
    const [, verb, path] = HEADER.exec(section) ?? [];
    if (path === undefined || (verb !== 'Add' && verb !== 'Update' && verb !== 'Delete')) continue;
    touches.push({
      path: path.trim(),
      action: ACTIONS[verb],
      lines: verb === 'Delete' ? undefined : diffCounts(section),
    });
    const moved = MOVE.exec(section)?.[1];
    if (moved !== undefined) moves.push({ path: moved.trim(), action: 'write' });
  }
  return [...touches, ...moves];
}

/** The part of an apply_patch text that belongs to one file, or undefined. */
export function patchOfFile(patch: string, path: string): string | undefined {
  const start = patch.indexOf('*** Begin Patch');
  const body = start < 0 ? patch : patch.slice(start);
  const sections = body.split(/^(?=\*\*\* (?:Add|Update|Delete) File: )/m);
  const section = sections.find((candidate) => {
    const named = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/m.exec(candidate)?.[1]?.trim();
    return named !== undefined && (named === path || path.endsWith(`/${named.replace(/^\.\//, '')}`));
  });
  return section?.split(/^\*\*\* End Patch/m, 1)[0];
}

/** A unified diff of a replaced passage; line numbers are not known, so the hunk header is bare. */
export function passageDiff(before: string, after: string): string {
  const old = before === '' ? [] : before.split('\n');
  const now = after === '' ? [] : after.split('\n');
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (
    tail < old.length - head &&
    tail < now.length - head &&
    old[old.length - 1 - tail] === now[now.length - 1 - tail]
  ) {
    tail++;
  }
  const context = old.slice(Math.max(0, head - 1), head).map((line) => ` ${line}`);
  const removed = old.slice(head, old.length - tail).map((line) => `-${line}`);
  const added = now.slice(head, now.length - tail).map((line) => `+${line}`);
  const after1 = old.slice(old.length - tail, old.length - tail + 1).map((line) => ` ${line}`);
  return ['@@', ...context, ...removed, ...added, ...after1].join('\n');
}

/** A diff of at most `lines` lines; says how many were left out. */
export function shortDiff(diff: string, lines: number): string {
  const all = diff.replace(/\n+$/, '').split('\n');
  if (all.length <= lines) return all.join('\n');
  return [...all.slice(0, lines - 1), `… ${countOf(all.length - lines + 1, 'more line')}`].join('\n');
}
