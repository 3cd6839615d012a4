import { byteLength, cutText, printable, toJson } from './bytes.ts';
import type { Format } from './caller.ts';
import type { TextStyle } from './operation.ts';
import { shrink } from './shrink.ts';
import { estimateTokens } from './tokens.ts';

export interface Pagination {
  readonly total_in_page: number;
  readonly total?: number | undefined;
  readonly has_more: boolean;
  readonly next_cursor?: string | undefined;
}

/** What every successful answer looks like. */
export interface Envelope {
  readonly data: unknown;
  readonly pagination?: Pagination | undefined;
  readonly hint?: string | undefined;
  readonly link?: string | undefined;
  readonly links?: Readonly<Record<string, string>> | undefined;
  readonly meta: Readonly<Record<string, unknown>>;
}

export interface Rendered {
  readonly text: string;
  readonly bytes: number;
  readonly tokens: number;
}

export interface RenderContext {
  readonly operation: string;
  readonly format: Format;
  readonly style: TextStyle;
  readonly text: (data: unknown, style: TextStyle) => string;
}

/** Writes an envelope in the caller's format; `meta` gets the true size. */
export function render(envelope: Envelope, context: RenderContext): Rendered {
  return context.format === 'json' ? renderJson(envelope) : renderText(envelope, context);
}

/** The same for an answer that is too large even with a single row: cut until it has at most `budget` bytes. */
export function renderCut(envelope: Envelope, context: RenderContext, budget: number): Rendered {
  if (context.format === 'text') return renderText(envelope, context, budget);
  return renderJson(shrink(envelope, (candidate) => renderJson(candidate).bytes - budget));
}

function renderJson(envelope: Envelope): Rendered {
  const { data, pagination, hint, link, links, meta } = envelope;
  const head = toJson({ data, pagination, hint, link, links }).slice(0, -1);
  const tokens = estimateTokens(head) + estimateTokens(toJson(meta)) + 14;
  // The size counts its own digits: a second round settles it.
  let bytes = byteLength(head);
  let text = '';
  for (let round = 0; round < 3; round++) {
    text = `${head},"meta":${toJson({ ...meta, bytes, estimated_tokens: tokens })}}`;
    const actual = byteLength(text);
    if (actual === bytes) break;
    bytes = actual;
  }
  return { text, bytes, tokens };
}

function renderText(envelope: Envelope, context: RenderContext, budget = Number.POSITIVE_INFINITY): Rendered {
  const { pagination, hint, link, meta } = envelope;
  const rows = printable(context.text(envelope.data, context.style)).trimEnd();
  const body = rows === '' && pagination?.total_in_page === 0 ? `(nothing found${skipped(meta)})` : rows;
  const tail: string[] = [];
  if (meta.truncated === true) tail.push(stopped(meta));
  if (meta.indexing !== undefined) tail.push('(still reading: ask again for what is missing)');
  if (pagination?.next_cursor !== undefined) {
    tail.push(`... ${left(pagination)}next: ${context.operation} cursor=${pagination.next_cursor}`);
  }
  if (hint !== undefined) tail.push(`-> ${hint}`);
  if (link !== undefined) tail.push(link);
  const end = tail.map((line) => `\n${line}`).join('');
  const text = cutText(body, budget - byteLength(end)) + end;
  return { text, bytes: byteLength(text), tokens: estimateTokens(text) };
}

function stopped({ searched }: Envelope['meta']): string {
  return typeof searched === 'string'
    ? `(stopped at the time limit; searched until then: ${searched})`
    : '(stopped at the time limit: not everything was searched)';
}

/** Whoever finds nothing wants to know what was not looked at. */
function skipped({ skipped: files }: Envelope['meta']): string {
  if (typeof files !== 'object' || files === null) return '';
  const counts = Object.entries(files).map(([why, count]) => `${count} ${why.replaceAll('_', ' ')}`);
  return counts.length === 0 ? '' : `; files skipped: ${counts.join(', ')}`;
}

function left({ total, total_in_page }: Pagination): string {
  return total === undefined ? '' : `${total_in_page} of ${total}; `;
}
