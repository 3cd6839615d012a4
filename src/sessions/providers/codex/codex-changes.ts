import type { Touch } from '../../model/event.ts';
import { filled, isObject, list, number, object } from '../../model/log-json.ts';

/** `{secs, nanos}`, or seconds in a text such as `1.5s`. */
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

export function changeTouches(changes: unknown): readonly Touch[] {
  return Object.entries(object(changes)).flatMap(([path, value]) => {
    const change = object(value);
    const kind = filled(change.type) ?? Object.keys(change)[0];
    const action = kind === 'add' ? 'write' : kind === 'delete' ? 'delete' : 'edit';
    const moved = filled(change.move_path);
    return [
      { path, action } as const,
      ...(moved === undefined ? [] : [{ path: moved, action: 'write' } as const]),
    ];
  });
}
