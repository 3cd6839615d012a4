import { type Answer, ApiError, call } from './client.ts';

interface Part<Row> {
  /** Query that gives this part. */
  readonly query: string;
  readonly rows: readonly Row[];
  readonly next: string | undefined;
}

/**
 * A list that only grows at its end, such as the turns of a session that runs. It is read page by page; to bring it
 * up to date only its last page is read again. What is known stays until what is newer is here.
 */
export class GrowingList<Data, Row> {
  readonly #base: string;
  readonly #first: string;
  readonly #rowsOf: (data: Data) => readonly Row[];
  #parts: readonly Part<Row>[] = [];
  #rows: readonly Row[] = [];
  #working: Promise<void> | undefined;

  constructor(base: string, first: string, rowsOf: (data: Data) => readonly Row[]) {
    this.#base = base;
    this.#first = first;
    this.#rowsOf = rowsOf;
  }

  get rows(): readonly Row[] {
    return this.#rows;
  }

  /** True when the end is known as it was at the last reading. */
  get done(): boolean {
    return this.#parts.length > 0 && this.#parts.at(-1)?.next === undefined;
  }

  /** Reads on until there are as many rows or no more; one reading at a time. */
  read(atLeast: number, signal: AbortSignal, onRows: () => void): Promise<void> {
    return this.#queue(async () => {
      while (!this.done && this.#rows.length < atLeast) {
        const last = this.#parts.at(-1);
        await this.#take(this.#parts, last?.next ?? this.#first, signal);
        onRows();
      }
    });
  }

  /** Reads the last page again and what follows it. */
  refresh(signal: AbortSignal, onRows: () => void): Promise<void> {
    return this.#queue(async () => {
      if (!this.done) return;
      const last = this.#parts.at(-1);
      try {
        await this.#take(this.#parts.slice(0, -1), last?.query ?? this.#first, signal);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'invalid_cursor') throw error;
        // The place was forgotten meanwhile: from the beginning.
        await this.#take([], this.#first, signal);
      }
      onRows();
      while (!this.done) {
        await this.#take(this.#parts, this.#parts.at(-1)?.next ?? this.#first, signal);
        onRows();
      }
    });
  }

  async #take(before: readonly Part<Row>[], query: string, signal: AbortSignal): Promise<void> {
    const answer: Answer<Data> = await call<Data>('GET', `${this.#base}?${query}`, { signal });
    const cursor = answer.pagination?.next_cursor;
    const next = cursor === undefined ? undefined : `cursor=${encodeURIComponent(cursor)}`;
    this.#parts = [...before, { query, rows: this.#rowsOf(answer.data), next }];
    this.#rows = this.#parts.flatMap((part) => part.rows);
  }

  #queue(work: () => Promise<void>): Promise<void> {
    const next = (this.#working ?? Promise.resolve()).then(work);
    this.#working = next.catch(() => {});
    return next;
  }
}
