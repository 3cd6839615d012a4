import { createHash } from 'node:crypto';
import { toJson } from './bytes.ts';
import type { Position } from './operation.ts';

/** Raised when the meaning of stored positions changes, so that old cursors are refused. */
export const CURSOR_VERSION = 1;

export type CursorInput = Readonly<Record<string, unknown>>;

/** What a keyset cursor stands for. The caller sees only its short id. */
export interface CursorRecord {
  readonly operation: string;
  readonly input: CursorInput;
  readonly position: Position;
  readonly created_at: number;
  readonly version: number;
}

/** Keeps cursor records over restarts; old ones may be forgotten. */
export interface CursorStore {
  /** Other nodes read it too: it also says where kept results were left, which are in the memory of one node. */
  readonly byAllNodes?: boolean | undefined;
  save(id: string, record: CursorRecord): Promise<void>;
  load(id: string): Promise<CursorRecord | undefined>;
}

/** A short id made from content: the same question gives the same id, so answers are deterministic. */
export function shortId(prefix: string, ...content: readonly unknown[]): string {
  const digest = createHash('sha256').update(toJson(content)).digest();
  return prefix + digest.readUIntBE(0, 6).toString(36).padStart(10, '0').slice(-8);
}

export async function saveCursor(
  store: CursorStore,
  operation: string,
  input: CursorInput,
  position: Position,
  now: number,
): Promise<string> {
  const id = shortId('c', operation, input, position, CURSOR_VERSION);
  await store.save(id, { operation, input, position, created_at: now, version: CURSOR_VERSION });
  return id;
}

/** Cursors in memory, the oldest forgotten first: for tests and for runs without a store. */
export function memoryCursors(most = 10_000): CursorStore {
  const records = new Map<string, CursorRecord>();
  return {
    async save(id, record) {
      records.delete(id);
      records.set(id, record);
      const oldest = records.keys().next().value;
      if (records.size > most && oldest !== undefined) records.delete(oldest);
    },
    load: async (id) => records.get(id),
  };
}

/** Where kept results were left: another node searches again, and continues after the same row. */
export interface LeftAt {
  /** Stands for the last row that was handed out. */
  readonly row: string;
  readonly folders: readonly string[];
  readonly scope: readonly string[] | undefined;
}

export const rowMark = (row: unknown): string => shortId('x', row);
