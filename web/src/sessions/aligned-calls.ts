import { diffArrays } from 'diff';

/** A call in one of two sessions. */
export interface SideCall {
  readonly turn: number;
  readonly event: number;
  readonly tool: string;
  /** Its file, pattern or command. */
  readonly what: string;
  readonly status: string;
}

/** A line of the comparison: the same call in both sessions, or one that only one of them made. */
export interface CallPair {
  readonly a: SideCall | undefined;
  readonly b: SideCall | undefined;
}

/** Two lists of calls side by side, both in order, with matching calls on one line. */
export function alignCalls(a: readonly SideCall[], b: readonly SideCall[]): readonly CallPair[] {
  const key = ({ tool, what }: SideCall) => `${tool}\n${what}`;
  const pairs: CallPair[] = [];
  let atA = 0;
  let atB = 0;
  for (const { added, removed, count } of diffArrays(a.map(key), b.map(key))) {
    if (!added && !removed) for (let i = 0; i < count; i++) pairs.push({ a: a[atA++], b: b[atB++] });
    else if (removed) for (let i = 0; i < count; i++) pairs.push({ a: a[atA++], b: undefined });
    else {
      fillIn(pairs, b.slice(atB, atB + count));
      atB += count;
    }
  }
  return pairs;
}

/** Calls that one session made instead of the other's go beside them, not below them. */
function fillIn(pairs: CallPair[], calls: readonly SideCall[]): void {
  let from = pairs.length;
  while (from > 0 && pairs[from - 1]?.b === undefined) from--;
  for (const [i, call] of calls.entries()) {
    const beside = pairs[from + i];
    if (beside === undefined) pairs.push({ a: undefined, b: call });
    else pairs[from + i] = { a: beside.a, b: call };
  }
}

/** Whether both sessions made the same call. */
export function isSame({ a, b }: CallPair): boolean {
  return a !== undefined && b !== undefined && a.tool === b.tool && a.what === b.what;
}
