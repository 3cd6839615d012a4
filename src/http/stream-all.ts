import type { Call, Engine } from '../contract/engine.ts';
import type { Envelope } from '../contract/envelope.ts';
import { ERROR_STATUS, fail } from '../contract/errors.ts';
import { isObject } from '../contract/guards.ts';
import type { RawInput } from '../contract/input.ts';
import { columnsOf, type Operation, type Row, rowsOf } from '../contract/operation.ts';

export type StreamFormat = 'csv' | 'ndjson';

/** The rows of a list up to `limit`, or all, as CSV or as one JSON object per line, fetched page by page while they are sent. */
export async function streamAll(
  engine: Engine,
  operation: Operation<never>,
  input: RawInput,
  call: Call,
  format: StreamFormat,
): Promise<Response> {
  const asked = Number(input.limit ?? input.page_size ?? Number.POSITIVE_INFINITY);
  // Without a limit all rows come, in pages as large as they can be; a wrong one is refused as always.
  const limit = operation.limit && !(asked < operation.limit.max) ? pageOf(operation.limit.max, asked) : {};
  const first = await engine.run(operation.name, { ...input, ...limit }, call);
  if (!first.ok) {
    return new Response(first.rendered.text, {
      status: ERROR_STATUS[first.error.code],
      headers: { 'content-type': 'application/json; charset=utf-8' },
    });
  }
  const begin = readPage(operation, first.envelope);
  async function* pages(): AsyncGenerator<readonly Row[]> {
    let left = asked;
    for (let { rows, next } = begin; ; ) {
      yield rows.slice(0, left);
      left -= rows.length;
      if (next === undefined || left <= 0) return;
      const answer = await engine.run(operation.name, { cursor: next }, call);
      // The headers are sent already: breaking off the stream is the only honest way to show that rows are missing.
      if (!answer.ok) throw new Error(answer.error.message);
      ({ rows, next } = readPage(operation, answer.envelope));
    }
  }
  const lines =
    format === 'csv' ? csvLines(pages(), begin.columns ?? columnsOf(operation)) : jsonLines(pages());
  const type = format === 'csv' ? 'text/csv' : 'application/x-ndjson';
  return new Response(toStream(lines), { headers: { 'content-type': `${type}; charset=utf-8` } });
}

/** The largest page, unless the limit in the request is not a number. */
function pageOf(max: number, asked: number): { readonly limit?: number } {
  return Number.isNaN(asked) ? {} : { limit: max };
}

async function* jsonLines(pages: AsyncIterable<readonly Row[]>): AsyncGenerator<string> {
  for await (const rows of pages) yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

/** Starts with the declared columns, even without rows. A missing value is an empty cell. */
async function* csvLines(
  pages: AsyncIterable<readonly Row[]>,
  columns: readonly string[],
): AsyncGenerator<string> {
  const line = (cells: readonly unknown[]) => `${cells.map(csvCell).join(',')}\n`;
  yield line(columns);
  for await (const rows of pages) yield rows.map((row) => line(columns.map((name) => row[name]))).join('');
}

function toStream(lines: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const step = await lines.next();
      if (step.done) controller.close();
      else controller.enqueue(encoder.encode(step.value));
    },
    cancel: () => void lines.return(undefined),
  });
}

interface RowPage {
  readonly rows: readonly Row[];
  /** Of a table that names its own columns. */
  readonly columns?: readonly string[] | undefined;
  readonly next: string | undefined;
}

function readPage(operation: Operation<never>, { data, pagination }: Envelope): RowPage {
  const rows = rowsOf(operation, data);
  if (rows === undefined)
    fail('invalid_parameter', 'This answer is not a list. Ask for it with format=json or format=text.');
  const columns = ownColumns(data);
  return {
    rows: columns === undefined ? rows : named(rows, columns),
    columns,
    next: pagination?.next_cursor,
  };
}

/** The columns of a table whose rows are lists of cells. Of columns with the same name, later ones get a number. */
function ownColumns(data: unknown): readonly string[] | undefined {
  if (!isObject(data) || !('columns' in data) || !Array.isArray(data.columns)) return undefined;
  const seen = new Map<string, number>();
  return data.columns.map((column) => {
    const name = String(column);
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name}_${count}`;
  });
}

function named(rows: readonly Row[], columns: readonly string[]): readonly Row[] {
  return rows.map((row) =>
    Object.fromEntries(Object.values(row).flatMap((cell, i) => (cell === null ? [] : [[columns[i], cell]]))),
  );
}

/** A list or a record inside a row is written as JSON. */
function csvCell(value: unknown): string {
  const text = value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  // Spreadsheet programs run cells that start with a sign or @ as formulas.
  const safe = typeof value === 'string' && /^[=+@\t\r-]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
