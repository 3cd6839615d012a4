import { isDeepStrictEqual } from 'node:util';
import type { Caller } from './caller.ts';
import { CURSOR_VERSION, type CursorStore, type LeftAt, rowMark } from './cursor.ts';
import { inputMessage, PinholeError } from './errors.ts';
import type { RawInput } from './input.ts';
import type { Operation, Page, Position } from './operation.ts';
import { redactDeep } from './redact.ts';
import type { ResultSet, ResultSets } from './result-sets.ts';
import { isInside } from './roots.ts';

/** Where a call starts: at the beginning, after a position, or inside kept results. */
export interface StartingPoint {
  /** The arguments of the first call, with what this call may change. */
  readonly input: RawInput;
  readonly after?: Position | undefined;
  readonly set?: ResultSet | undefined;
  readonly offset: number;
  /** The search is run again, and continues after the row with this mark: another node keeps its results. */
  readonly afterRow?: string | undefined;
}

/** Accepted as the cursor of a first call by operations that insist on one. */
const FIRST = 'start';

/** Finds what a cursor stands for, for a caller who may read these folders; a call may send nothing else. */
export async function continueFrom(
  operation: Operation<never>,
  named: RawInput,
  stores: { readonly cursors: CursorStore; readonly results: ResultSets },
  {
    folders,
    scope,
    door,
  }: {
    readonly folders: readonly string[];
    /** The folders whose sessions the caller sees; all if absent. */
    readonly scope?: readonly string[] | undefined;
    readonly door: Caller['door'];
  },
): Promise<StartingPoint> {
  const { cursor, ...given } = named;
  if (operation.limit === undefined || cursor === undefined || cursor === FIRST) {
    return { input: operation.limit === undefined ? named : given, offset: 0 };
  }
  if (typeof cursor !== 'string')
    throw new PinholeError('invalid_parameter', inputMessage`${{ input: 'cursor' }} must be a string.`);

  const [setId = '', offsetText] = cursor.split('.');
  if (offsetText !== undefined) {
    const set = stores.results.find(setId);
    const offset = Number(offsetText);
    const left = set === undefined ? await leftBy(operation, cursor, given, stores.cursors) : undefined;
    if (left !== undefined) {
      if (!isDeepStrictEqual(left.scope, scope)) expired(operation, cursor);
      refuseFolders(operation, cursor, left.folders, folders, door);
      return { input: left.input, offset: 0, afterRow: left.row };
    }
    if (set === undefined || !set.issued.has(offset) || !isDeepStrictEqual(set.scope, scope))
      expired(operation, cursor);
    refuseFolders(operation, cursor, set.folders, folders, door);
    if (set.operation !== operation.name) foreign(operation, set.operation, cursor);
    return narrowed(operation, set, given, offset, stores.results);
  }
  const record = await stores.cursors.load(cursor);
  if (record === undefined || record.version !== CURSOR_VERSION) expired(operation, cursor);
  if (record.operation !== operation.name) foreign(operation, record.operation, cursor);
  refuseChanges(operation, record.input, given, ['limit'], cursor);
  return { input: { ...record.input, ...given }, after: record.position, offset: 0 };
}

/** What another node noted about kept results. */
async function leftBy(
  operation: Operation<never>,
  cursor: string,
  given: RawInput,
  cursors: CursorStore,
): Promise<
  | {
      readonly input: RawInput;
      readonly row: string;
      readonly folders: readonly string[];
      readonly scope?: readonly string[] | undefined;
    }
  | undefined
> {
  const record = cursors.byAllNodes === true ? await cursors.load(cursor) : undefined;
  if (record === undefined || record.version !== CURSOR_VERSION) return undefined;
  if (record.operation !== operation.name) foreign(operation, record.operation, cursor);
  refuseChanges(operation, record.input, given, ['limit'], cursor);
  // Written by answer.ts.
  const left: LeftAt = JSON.parse(String(record.position));
  return { ...left, input: { ...record.input, ...given } };
}

/** Results of folders that the caller may not read. */
function refuseFolders(
  operation: Operation<never>,
  cursor: string,
  theirs: readonly string[],
  own: readonly string[],
  door: Caller['door'],
): void {
  if (theirs.every((folder) => own.some((one) => isInside(folder, one)))) return;
  // To an agent the results of another are as if they did not exist; a person can do something about it.
  if (door === 'mcp') expired(operation, cursor);
  outside();
}

/** Kept results seen through later filters: a set of their own, without a new search. */
function narrowed(
  operation: Operation<never>,
  set: ResultSet,
  given: RawInput,
  offset: number,
  results: ResultSets,
): StartingPoint {
  const narrows = operation.narrows ?? [];
  refuseChanges(operation, set.input, given, ['limit', ...narrows], `${set.id}.${offset}`);
  const filters = Object.fromEntries(
    narrows
      .filter((name) => name in given && !isDeepStrictEqual(given[name], set.input[name]))
      .map((name) => [name, given[name]]),
  );
  const input = { ...set.input, ...given };
  const narrow = set.page.keep?.narrow;
  if (Object.keys(filters).length === 0 || narrow === undefined) return { input, set, offset };
  async function* rows() {
    for (let index = 0; ; index++) {
      const row = await set.row(index);
      if (row === undefined) return;
      if (narrow?.(row, filters)) yield row;
    }
  }
  const page: Page<unknown, unknown> = { ...set.page, rows: rows(), total: undefined };
  return { input, set: results.open(operation.name, input, page, set.folders, set.scope), offset: 0 };
}

function refuseChanges(
  operation: Operation<never>,
  first: RawInput,
  given: RawInput,
  free: readonly string[],
  cursor: string,
): void {
  const changed = Object.keys(given).find(
    (name) => !free.includes(name) && !isDeepStrictEqual(first[name], given[name]),
  );
  if (changed === undefined) return;
  throw new PinholeError(
    'invalid_cursor',
    `This cursor belongs to a call with another '${changed.slice(0, 40)}'. Send only the cursor, or call ${operation.name} again without it.`,
    { details: { cursor } },
  );
}

function outside(): never {
  throw new PinholeError(
    'path_not_allowed',
    'These results are from a folder that may not be read here. To allow it, a person runs: pinhole allow PATH',
  );
}

function expired(operation: Operation<never>, cursor: string): never {
  throw new PinholeError(
    'invalid_cursor',
    `This cursor is unknown or has expired. Call ${operation.name} again without it.`,
    {
      details: { cursor: cursor.slice(0, 40) },
    },
  );
}

function foreign(operation: Operation<never>, owner: string, cursor: string): never {
  throw new PinholeError(
    'invalid_cursor',
    `This cursor belongs to ${owner}. Call ${operation.name} without it.`,
    {
      details: { cursor },
    },
  );
}

/** How many rows of a search that was run again come before those that were not handed out yet. */
export async function rowsBefore(set: ResultSet, mark: string, operation: string): Promise<number> {
  for (let index = 0; ; index++) {
    const row = await set.row(index);
    if (row === undefined)
      throw new PinholeError(
        'invalid_cursor',
        `The last row of the previous page is gone. Call ${operation} again without the cursor.`,
      );
    if (rowMark(redactDeep(row)) === mark) return index + 1;
  }
}
