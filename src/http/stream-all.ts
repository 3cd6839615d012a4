import type { Answer, Call, Engine } from '../contract/engine.ts';
import { ERROR_STATUS, fail } from '../contract/errors.ts';
import type { RawInput } from '../contract/input.ts';
import { type Operation, type Row, rowsOf } from '../contract/operation.ts';

export type StreamFormat = 'csv' | 'ndjson';

/** All rows of a list as CSV or one JSON object a line, fetched page by page while they are sent. */
export async function streamAll(
  engine: Engine,
  operation: Operation<never>,
  input: RawInput,
  call: Call,
  format: StreamFormat,
): Promise<Response> {
  const limit = operation.limit ? { limit: operation.limit.max } : {};
  const first = await engine.run(operation.name, { ...input, ...limit }, call);
  if (!first.ok) {
    const status = first.code === undefined ? 500 : ERROR_STATUS[first.code];
    return new Response(first.text, {
      status,
      headers: { 'content-type': 'application/json; charset=utf-8' },
    });
  }
  const begin = readPage(operation, first);
  async function* pages(): AsyncGenerator<readonly Row[]> {
    for (let { rows, next } = begin; ; ) {
      yield rows;
      if (next === undefined) return;
      const answer = await engine.run(operation.name, { cursor: next }, call);
      // Headers are gone: breaking the stream off is the only honest sign that rows are missing.
      if (!answer.ok) throw new Error(answer.text);
      ({ rows, next } = readPage(operation, answer));
    }
  }
  const lines = format === 'csv' ? csvLines(pages(), operation.columns ?? []) : jsonLines(pages());
  const type = format === 'csv' ? 'text/csv' : 'application/x-ndjson';
  return new Response(toStream(lines), { headers: { 'content-type': `${type}; charset=utf-8` } });
}

async function* jsonLines(pages: AsyncIterable<readonly Row[]>): AsyncGenerator<string> {
  for await (const rows of pages) yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

/** The declared columns, also where there are no rows. What a row does not have is an empty cell. */
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
  readonly next: string | undefined;
}

function readPage(operation: Operation<never>, { text }: Answer): RowPage {
  // Our own answer, just rendered.
  const { data, pagination } = JSON.parse(text) as { data: Row; pagination?: { next_cursor?: string } };
  const rows = rowsOf(operation, data);
  if (rows === undefined)
    fail('invalid_parameter', 'This answer is not a list. Ask for it with format=json or format=text.');
  return { rows, next: pagination?.next_cursor };
}

/** A list or a record inside a row is written as JSON. */
function csvCell(value: unknown): string {
  const text = value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  // A leading sign or @ would be run as a formula by spreadsheet programs.
  const safe = typeof value === 'string' && /^[=+@\t\r-]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
