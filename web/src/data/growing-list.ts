import { call } from './call.ts';
import { type Answer, ApiError, takeArrived } from './client.ts';
import type { DataOf, InputOf, OperationName } from './operations.ts';
import { addressOf } from './request.ts';

interface Part<Row> {
  /** The cursor of this page; undefined for the first one. */
  readonly cursor: string | undefined;
  readonly rows: readonly Row[];
  readonly next: string | undefined;
}

/**
 * A list that only grows at its end, such as the turns of a running session. It is loaded page by page; an update only
 * loads the last page again. Known rows stay until newer ones arrive.
 */
export class GrowingList<Name extends OperationName, Row> {
  readonly #name: Name;
  readonly #input: InputOf<Name>;
  readonly #rowsOf: (data: DataOf<Name>) => readonly Row[];
  #parts: readonly Part<Row>[] = [];
  #rows: readonly Row[] = [];
  #working: Promise<void> | undefined;

  constructor(name: Name, input: InputOf<Name>, rowsOf: (data: DataOf<Name>) => readonly Row[]) {
    this.#name = name;
    this.#input = input;
    this.#rowsOf = rowsOf;
    const arrived = takeArrived<DataOf<Name>>(addressOf(name, input));
    if (arrived !== undefined) this.#add([], undefined, arrived);
  }

  get rows(): readonly Row[] {
    return this.#rows;
  }

  /** True when the last load reached the end of the list. */
  get done(): boolean {
    return this.#parts.length > 0 && this.#parts.at(-1)?.next === undefined;
  }

  /** Loads pages until there are `atLeast` rows, or no more; one load at a time. */
  read(atLeast: number, signal: AbortSignal, onRows: () => void): Promise<void> {
    return this.#queue(async () => {
      while (!this.done && this.#rows.length < atLeast) {
        await this.#load(this.#parts, this.#parts.at(-1)?.next, signal);
        onRows();
      }
    });
  }

  /** Loads the last page again, and the pages after it. */
  refresh(signal: AbortSignal, onRows: () => void): Promise<void> {
    return this.#queue(async () => {
      if (!this.done) return;
      try {
        await this.#load(this.#parts.slice(0, -1), this.#parts.at(-1)?.cursor, signal);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'invalid_cursor') throw error;
        // The cursor has expired: start from the beginning.
        await this.#load([], undefined, signal);
      }
      onRows();
      while (!this.done) {
        await this.#load(this.#parts, this.#parts.at(-1)?.next, signal);
        onRows();
      }
    });
  }

  async #load(before: readonly Part<Row>[], cursor: string | undefined, signal: AbortSignal): Promise<void> {
    this.#add(before, cursor, await call(this.#name, { ...this.#input, cursor }, { signal }));
  }

  #add(before: readonly Part<Row>[], cursor: string | undefined, answer: Answer<DataOf<Name>>): void {
    const next = answer.pagination?.next_cursor;
    this.#parts = [...before, { cursor, rows: this.#rowsOf(answer.data), next }];
    this.#rows = this.#parts.flatMap((part) => part.rows);
  }

  #queue(work: () => Promise<void>): Promise<void> {
    const next = (this.#working ?? Promise.resolve()).then(work);
    this.#working = next.catch(() => {});
    return next;
  }
}
