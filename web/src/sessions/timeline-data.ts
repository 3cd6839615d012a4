/** Calls and responses of a session as columns of equal length. */
export interface TimelineData {
  readonly session_id: string;
  readonly context_window?: number;
  readonly names: readonly string[];
  readonly kinds: readonly string[];
  readonly calls: {
    readonly event: readonly number[];
    readonly turn: readonly number[];
    readonly step: readonly number[];
    readonly name: readonly number[];
    readonly kind: readonly number[];
    readonly status: readonly number[];
    readonly time: readonly number[];
  };
  readonly responses: {
    readonly event: readonly number[];
    readonly turn: readonly number[];
    readonly step: readonly number[];
    readonly time: readonly number[];
    readonly context: readonly number[];
    readonly output: readonly number[];
  };
}

/** Which colour a kind of tool has everywhere. */
const KIND_TONES: Readonly<Record<string, string>> = {
  read: 'c7',
  search: 'c1',
  edit: 'c2',
  write: 'c2',
  execute: 'c5',
  agent: 'c3',
  mcp: 'c6',
};

export function kindTone(kind: string): string {
  return KIND_TONES[kind] ?? 'c8';
}
