import { estimateTokens } from '../tokens/estimate.ts';
import { byteLength, cutText, printable, toJson } from './bytes.ts';
import { type CallWords, requestOf } from './call-words.ts';
import type { Door, Format } from './caller.ts';
import type { Envelope, Pagination } from './envelope.ts';
import type { ErrorBody } from './errors.ts';
import { countOf, countText } from './format.ts';
import type { NextCall } from './next-call.ts';
import type { Operation, TextStyle } from './operation.ts';
import { shrink } from './shrink.ts';

/** An answer as it goes out. */
export interface Rendered {
  readonly text: string;
  readonly bytes: number;
  readonly tokens: number;
}

/** How one caller wants answers written. */
export interface Rendering {
  readonly door: Door;
  readonly format: Format;
  readonly style: TextStyle;
  readonly words: CallWords;
  readonly declared: (operation: string) => Operation<never> | undefined;
}

export type ErrorRendering = Pick<Rendering, 'door' | 'format' | 'words' | 'declared'>;

/** Writes an envelope in the caller's format; `meta` gets the true size. */
export function render(envelope: Envelope, operation: Operation<never>, rendering: Rendering): Rendered {
  return rendering.format === 'json'
    ? renderJson(envelope, rendering)
    : renderText(envelope, operation, rendering);
}

/** The same for an answer that is too large even with a single row: cut until it has at most `budget` bytes. */
export function renderCut(
  envelope: Envelope,
  operation: Operation<never>,
  rendering: Rendering,
  budget: number,
): { readonly envelope: Envelope; readonly rendered: Rendered } {
  if (rendering.format === 'text')
    return { envelope, rendered: renderText(envelope, operation, rendering, budget) };
  const cut = shrink(envelope, (candidate) => renderJson(candidate, rendering).bytes - budget);
  return { envelope: cut, rendered: renderJson(cut, rendering) };
}

/** Writes an error: JSON everywhere, a sentence and the command that fixes it at a terminal. */
export function renderError(body: ErrorBody, rendering: ErrorRendering, budget: number): Rendered {
  const { error } = body;
  if (rendering.door === 'cli' && rendering.format === 'text') {
    const fix = error.next === undefined ? '' : `\nTry: ${rendering.words(error.next)}`;
    return measured(cutText(printable(error.message), budget - byteLength(fix)) + fix);
  }
  const { next, ...rest } = error;
  const [call] = callable(next && [next], rendering);
  const sent = { error: call === undefined ? rest : { ...error, next: withLink(call, rendering) } };
  return measured(toJson(shrink(sent, (candidate) => byteLength(toJson(candidate)) - budget)));
}

function measured(text: string): Rendered {
  return { text, bytes: byteLength(text), tokens: estimateTokens(text) };
}

function renderJson(envelope: Envelope, rendering: Pick<Rendering, 'door' | 'declared'>): Rendered {
  const { data, pagination, next, link, links, meta } = envelope;
  const calls = callable(next, rendering).map((call) => withLink(call, rendering));
  const head = toJson({ data, pagination, ...(calls.length > 0 && { next: calls }), link, links }).slice(
    0,
    -1,
  );
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

/** Over MCP a call to an operation that is not a tool is left out. */
function callable(
  calls: readonly NextCall[] = [],
  { door, declared }: Pick<Rendering, 'door' | 'declared'>,
): readonly NextCall[] {
  if (door !== 'mcp') return calls;
  return calls.filter(({ operation }) => {
    const known = declared(operation);
    return known === undefined || known.toolset !== undefined;
  });
}

/** Over HTTP a call that only reads comes with its address. */
function withLink(call: NextCall, { door, declared }: Pick<Rendering, 'door' | 'declared'>): NextCall {
  if (door !== 'rest' && door !== 'page') return call;
  const href = requestOf(call, declared(call.operation));
  return href?.startsWith('/') ? { ...call, ...{ href } } : call;
}

function renderText(
  envelope: Envelope,
  operation: Operation<never>,
  rendering: Rendering,
  budget = Number.POSITIVE_INFINITY,
): Rendered {
  const { style, words } = rendering;
  const { pagination, next, meta } = envelope;
  const rows = printable(operation.text(envelope.data, style)).trimEnd();
  const body = rows === '' && pagination?.total_in_page === 0 ? 'Nothing found.' : rows;
  const tail: string[] = [];
  if (typeof meta.depth_limit === 'number')
    tail.push(`This index knows files and folders to depth ${meta.depth_limit} only.`);
  const skipped = skippedFiles(meta);
  if (skipped !== '') tail.push(`skipped: ${skipped}`);
  if (pagination?.next_cursor !== undefined)
    tail.push(more(operation, pagination, pagination.next_cursor, words));
  for (const call of callable(next, rendering)) tail.push(`next: ${words(call)}`);
  const lead = partial(meta) + stopped(meta);
  const end = tail.map((line) => `\n${line}`).join('');
  return measured(lead + cutText(body, budget - byteLength(lead) - byteLength(end)) + end);
}

/** The first line of an answer from a part of what there is: it may be wrong, so this is read before the rest. */
function partial({ indexing }: Envelope['meta']): string {
  if (typeof indexing !== 'object' || indexing === null) return '';
  const known: Readonly<Record<string, unknown>> = { ...indexing };
  const left =
    typeof known.seconds_left === 'number' ? ` (about ${countText(known.seconds_left)} s left)` : '';
  return `${share(known)} indexed yet${left}; results may be incomplete.\n`;
}

/** The same for a call that the time limit ended, with what was searched until then where that is known. */
function stopped({ truncated, searched }: Envelope['meta']): string {
  if (truncated !== true) return '';
  const told =
    typeof searched === 'string' ? `searched until then: ${searched}` : 'not everything was searched';
  return `Stopped at the time limit; ${told}.\n`;
}

/** Counted in files, or in bytes, which are shown as a percentage; the whole may not be known yet. */
function share({ files, of, done, total }: Readonly<Record<string, unknown>>): string {
  if (typeof files === 'number' && typeof of === 'number')
    return `Only ${countText(files)} of ${countOf(of, 'file')} ${of === 1 ? 'is' : 'are'}`;
  if (typeof done === 'number' && typeof total === 'number' && total > 0)
    return `Only ${Math.min(99, Math.floor((100 * done) / total))} % is`;
  return 'Not everything is';
}

function more(
  { name }: Operation<never>,
  { total, left }: Pagination,
  cursor: string,
  words: CallWords,
): string {
  const call = words({ operation: name, input: { cursor } });
  const short = call === `${name} cursor=${cursor}` ? `cursor=${cursor}` : call;
  const counts =
    total === undefined ? '' : left === undefined ? ` (${total} in all)` : ` (${left} of ${total} left)`;
  return `more: ${short}${counts}`;
}

function skippedFiles({ skipped: files }: Envelope['meta']): string {
  if (typeof files !== 'object' || files === null) return '';
  return Object.entries(files)
    .map(([why, count]) => `${count} ${why.replaceAll('_', ' ')}`)
    .join(', ');
}
