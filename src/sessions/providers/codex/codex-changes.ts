import type { Touch, TouchAction } from '../../model/event.ts';
import { diffCounts, type LineCounts, linesOf } from '../../model/line-counts.ts';
import { filled, isObject, type JsonObject, list, number, object, text } from '../../model/log-json.ts';

/** From `{secs, nanos}`, or seconds as text such as `1.5s`. */
export function durationMs(value: unknown): number | undefined {
  if (isObject(value)) return (number(value.secs) ?? 0) * 1000 + Math.round((number(value.nanos) ?? 0) / 1e6);
  const seconds = typeof value === 'string' ? /^([\d.]+)\s*s/.exec(value)?.[1] : undefined;
  return seconds === undefined ? undefined : Math.round(Number(seconds) * 1000);
}

/** Files that a parsed command line reads. */
export function readTouches(parsed: unknown): readonly Touch[] {
  return list(parsed).flatMap((command) => {
    const { type, path } = object(command);
    return type === 'read' && typeof path === 'string' ? [{ path, action: 'read' as const }] : [];
  });
}

/** The diffs of a change set, file by file. */
export function changesText(changes: unknown): string {
  return Object.entries(object(changes))
    .map(
      ([path, change]) =>
        `${path}\n${filled(object(change).unified_diff) ?? filled(object(change).content) ?? ''}`,
    )
    .join('\n');
}

function lineCounts(change: JsonObject, action: TouchAction): LineCounts | undefined {
  const inner = Object.values(change).find(isObject) ?? change;
  const diff = text(inner.unified_diff);
  if (diff !== undefined) return diffCounts(diff);
  const content = text(inner.content);
  if (content === undefined) return undefined;
  return action === 'delete'
    ? { added: 0, removed: linesOf(content) }
    : { added: linesOf(content), removed: 0 };
}

export function changeTouches(changes: unknown): readonly Touch[] {
  return Object.entries(object(changes)).flatMap(([path, value]) => {
    const change = object(value);
    const kind = filled(change.type) ?? Object.keys(change)[0];
    const action = kind === 'add' ? 'write' : kind === 'delete' ? 'delete' : 'edit';
    const moved = filled(change.move_path);
    return [
      { path, action, lines: lineCounts(change, action) } as const,
      ...(moved === undefined ? [] : [{ path: moved, action: 'write' } as const]),
    ];
  });
}
