import type { Call, Engine } from '../contract/engine.ts';
import type { Envelope } from '../contract/envelope.ts';
import { ERROR_STATUS } from '../contract/errors.ts';
import type { RawInput } from '../contract/input.ts';
import type { Operation } from '../contract/operation.ts';

type Row = Readonly<Record<string, unknown>>;
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
    return new Response(first.rendered.text, {
      status: ERROR_STATUS[first.error.code],
      headers: { 'content-type': 'application/json; charset=utf-8' },
    });
  }
  const start = first.envelope;
  async function* pages(): AsyncGenerator<readonly Row[]> {
    for (let envelope = start; ; ) {
      const { rows, next } = readPage(envelope);
      yield rows;
      if (next === undefined) return;
      const answer = await engine.run(operation.name, { cursor: next }, call);
      // Headers are gone: breaking the stream off is the only honest sign that rows are missing.
      if (!answer.ok) throw new Error(answer.error.message);
      envelope = answer.envelope;
    }
  }
  const lines = format === 'csv' ? csvLines(pages(), operation.columns) : jsonLines(pages());
  const type = format === 'csv' ? 'text/csv' : 'application/x-ndjson';
  return new Response(toStream(lines), { headers: { 'content-type': `${type}; charset=utf-8` } });
}

async function* jsonLines(pages: AsyncIterable<readonly Row[]>): AsyncGenerator<string> {
  for await (const rows of pages) yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

/** Columns are those declared, or those of the first page's rows; nested values are written as JSON. */
async function* csvLines(
  pages: AsyncIterable<readonly Row[]>,
  declared: readonly string[] | undefined,
): AsyncGenerator<string> {
  let names: readonly string[] | undefined;
  for await (const rows of pages) {
    const header = names === undefined;
    names ??= declared ?? [...new Set(rows.flatMap((row) => Object.keys(row)))];
    const columns = names;
    if (columns.length === 0) continue;
    const lines = rows.map((row) => columns.map((name) => csvCell(row[name])).join(','));
    yield [...(header ? [columns.map(csvCell).join(',')] : []), ...lines].map((line) => `${line}\n`).join('');
  }
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

/** The rows of an answer: its list of objects, or its data as the only row. */
function readPage({ data, pagination }: Envelope): { rows: readonly Row[]; next: string | undefined } {
  const fields = asRow(data);
  const lists = Object.values(fields).filter((value) => Array.isArray(value));
  const list =
    lists.find((values) => typeof values[0] === 'object') ?? lists.find((values) => values.length === 0);
  return { rows: list ? list.map(asRow) : [fields], next: pagination?.next_cursor };
}

function asRow(value: unknown): Row {
  return typeof value === 'object' && value !== null ? { ...value } : { value };
}

function csvCell(value: unknown): string {
  const text = value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  // A leading sign or @ would be run as a formula by spreadsheet programs.
  const safe = typeof value === 'string' && /^[=+@\t\r-]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
