import { type CursorInput, shortId } from './cursor.ts';
import { Lru } from './lru.ts';
import { knownTotal, type Page, type Position } from './operation.ts';

const RESULT_SETS = { ttlMs: 300_000, most: 100, bytes: 64_000_000, sweepMs: 60_000 } as const;

/** The ranked hits of one search, pulled as far as somebody has looked. */
export interface ResultSet {
  readonly id: string;
  readonly operation: string;
  readonly input: CursorInput;
  readonly page: Page<unknown, unknown>;
  /** The folders that the first caller was allowed to read: the rows are only for callers who may read all of them. */
  readonly folders: readonly string[];
  /** The folders whose sessions they could see: the rows are for nobody who sees others. */
  readonly scope: readonly string[] | undefined;
  /** Where pages that were handed out ended: the only places where a cursor of this set can continue. */
  readonly issued: Set<Position>;
  /** Row number `index`, pulled from the search when nobody has looked that far; undefined at the end. */
  row(index: number): Promise<unknown>;
  /** The number of rows, once all were seen. */
  total(): number | undefined;
  bytes(): number;
  /** Ends a search that is still being pulled. */
  close(): void;
}

export interface ResultSets {
  open(
    operation: string,
    input: CursorInput,
    page: Page<unknown, unknown>,
    folders: readonly string[],
    scope?: readonly string[] | undefined,
  ): ResultSet;
  /** Keeps a set for later pages and returns its id. */
  keep(set: ResultSet): string;
  find(id: string): ResultSet | undefined;
  close(): void;
}

/** Kept searches: five minutes from the last look, at most a hundred, least recently used out first. */
export function createResultSets(now: () => number, limits = RESULT_SETS): ResultSets {
  const kept = new Lru<string, { set: ResultSet; seen: number }>({
    most: limits.most,
    weight: { of: ({ set }) => set.bytes(), most: limits.bytes },
    dropped: ({ set }) => set.close(),
  });
  const sweep = () => {
    for (const [id, { seen }] of [...kept]) if (now() - seen > limits.ttlMs) kept.delete(id);
  };
  const timer = setInterval(sweep, limits.sweepMs);
  timer.unref();

  return {
    open: openResultSet,
    keep(set) {
      // The same search again has the same hits: cursors of the earlier one continue.
      for (const mark of kept.get(set.id)?.set.issued ?? []) set.issued.add(mark);
      kept.set(set.id, { set, seen: now() });
      return set.id;
    },
    find(id) {
      const entry = kept.get(id);
      if (entry === undefined) return undefined;
      if (now() - entry.seen > limits.ttlMs) {
        kept.delete(id);
        return undefined;
      }
      entry.seen = now();
      return entry.set;
    },
    close() {
      clearInterval(timer);
      for (const id of [...kept.keys()]) kept.delete(id);
    },
  };
}

function openResultSet(
  operation: string,
  input: CursorInput,
  page: Page<unknown, unknown>,
  folders: readonly string[],
  scope?: readonly string[] | undefined,
): ResultSet {
  const rows: unknown[] = [];
  const source = iterate(page.rows);
  let done = false;
  let bytes = 0;
  let pulling: Promise<void> = Promise.resolve();
  const pull = async () => {
    const step = await source.next();
    if (step.done) done = true;
    else {
      rows.push(step.value);
      bytes += JSON.stringify(step.value).length;
    }
  };
  let id: string | undefined;
  return {
    // Made of the question and the first hits: a later search with other hits gets another id.
    get id() {
      id ??= shortId('r', operation, input, rows.slice(0, 20), rows.length, ...(scope ?? []));
      return id;
    },
    operation,
    input,
    page,
    folders,
    scope,
    issued: new Set(),
    async row(index) {
      while (!done && rows.length <= index) {
        // One pull at a time, no matter who waits.
        pulling = pulling.then(() => (done || rows.length > index ? undefined : pull()));
        await pulling;
      }
      return rows[index];
    },
    total: () => (done ? rows.length : knownTotal(page)),
    bytes: () => bytes,
    close: () => void source.return?.(undefined),
  };
}

/** The iterator of rows of either kind. */
export function iterate<T>(rows: Iterable<T> | AsyncIterable<T>): Iterator<T> | AsyncIterator<T> {
  return Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();
}
