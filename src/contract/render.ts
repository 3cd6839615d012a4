import { estimateTokens } from '../tokens/estimate.ts';
import { byteLength, cutText, printable, toJson } from './bytes.ts';
import { type CallWords, requestOf } from './call-words.ts';
import type { Door, Format, Terminal } from './caller.ts';
import type { Envelope, Pagination } from './envelope.ts';
import type { ErrorBody } from './errors.ts';
import { countOf, countText } from './format.ts';
import type { NextCall } from './next-call.ts';
import type { Operation, TextStyle } from './operation.ts';
import { coloured, cutLine, holdsMarks, painter } from './painted-text.ts';
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
  /** The tools that the caller sees; undefined: any. */
  readonly tools?: readonly string[] | undefined;
  /** Show agents the next calls although the answer is neither empty nor cut. */
  readonly guides?: boolean | undefined;
}

export type ErrorRendering = Pick<Rendering, 'door' | 'format' | 'words' | 'declared' | 'tools'>;

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

/** Writes an error: JSON, or lines with the call that fixes it at a terminal and for agents that read text. */
export function renderError(body: ErrorBody, rendering: ErrorRendering, budget: number): Rendered {
  const { error } = body;
  const { next, ...rest } = error;
  const [call] = callable(next && [next], rendering);
  if (rendering.format === 'text' && (rendering.door === 'cli' || rendering.door === 'mcp')) {
    const [said, label] = rendering.door === 'cli' ? [error.message, 'Try'] : [errorLines(error), 'next'];
    const fix = call === undefined ? '' : `\n${label}: ${rendering.words(call)}`;
    return measured(cutText(printable(said), budget - byteLength(fix)) + fix);
  }
  const sent = { error: call === undefined ? rest : { ...error, next: withLink(call, rendering) } };
  return measured(toJson(shrink(sent, (candidate) => byteLength(toJson(candidate)) - budget)));
}

/** Details that repeat the question. */
const ECHOES: ReadonlySet<string> = new Set(['operation', 'cursor', 'parameter', 'place']);

/** The code, the message, and those details that the message does not already hold. */
function errorLines({ code, message, details = {} }: ErrorBody['error']): string {
  const unsaid = Object.entries(details).flatMap(([name, value]) => {
    const words = (Array.isArray(value) ? value : [value]).map((item) =>
      typeof item === 'string' ? item : toJson(item),
    );
    const said = ECHOES.has(name) || words.every((word) => message.includes(word));
    return said ? [] : [`${name}: ${words.join(', ')}`];
  });
  return [`${code}: ${message}`, ...unsaid].join('\n');
}

function measured(text: string): Rendered {
  return { text, bytes: byteLength(text), tokens: estimateTokens(text) };
}

function renderJson(envelope: Envelope, rendering: Pick<Rendering, 'door' | 'declared' | 'tools'>): Rendered {
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

/** Over MCP a call is left out if it is not a tool, or one that the client was not shown. */
function callable(
  calls: readonly NextCall[] = [],
  { door, declared, tools }: Pick<Rendering, 'door' | 'declared' | 'tools'>,
): readonly NextCall[] {
  if (door !== 'mcp') return calls;
  return calls.filter(({ operation }) => {
    const known = declared(operation);
    return (known === undefined || known.toolset !== undefined) && (tools?.includes(operation) ?? true);
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
  const { words, door, guides } = rendering;
  const { pagination, next, meta } = envelope;
  const style = holdsOwnMarks(envelope, rendering) ? withoutColours(rendering.style) : rendering.style;
  const { terminal } = style;
  const rows = asData(printable(operation.text(envelope.data, style)).trimEnd());
  const empty = pagination?.total_in_page === 0;
  const body = rows === '' && empty ? 'Nothing found.' : rows;
  const tail: string[] = [];
  if (typeof meta.depth_limit === 'number')
    tail.push(`This index covers files and folders to depth ${meta.depth_limit} only.`);
  if (meta.sessions === 'project') tail.push('Sessions of other projects are hidden.');
  const skipped = skippedFiles(meta);
  if (skipped !== '') tail.push(`skipped: ${skipped}`);
  if (pagination?.next_cursor !== undefined)
    tail.push(more(operation, pagination, pagination.next_cursor, words));
  // What an agent reads costs, and a pipe wants the answer alone; a person at a terminal is glad of the command to type.
  const read = door === 'mcp' || (door === 'cli' && terminal === undefined);
  const showsAll = !read || guides || empty || budget < Number.POSITIVE_INFINITY;
  // A call to the same operation continues where this answer stops.
  for (const call of callable(next, rendering))
    if (showsAll || call.operation === operation.name) tail.push(`next: ${words(call)}`);
  const lead = partial(meta) + stopped(meta) + doubt(meta);
  const end = tail.map((line) => `\n${style.paint('aside', line)}`).join('');
  const shown = terminal !== undefined && operation.command?.glance ? cutLines(body, terminal) : body;
  const text = lead + cutText(shown, budget - byteLength(lead) - byteLength(end)) + end;
  return measured(terminal === undefined ? text : onTerminal(text, terminal));
}

/** A text that has the marks of colours itself could colour what it likes. */
function holdsOwnMarks({ data }: Envelope, { style }: Rendering): boolean {
  return style.terminal?.colours === true && holdsMarks(data);
}

function withoutColours(style: TextStyle): TextStyle {
  return {
    ...style,
    terminal: style.terminal && { ...style.terminal, colours: false },
    paint: painter(undefined),
  };
}

/** The answer as a terminal shows it: in colour where it can, and within its lines where it must. */
function onTerminal(text: string, terminal: Terminal): string {
  const fitting = terminal.rows === undefined ? text : cutLines(text, terminal);
  return terminal.colours === true ? coloured(fitting) : fitting;
}

function cutLines(text: string, { columns, rows = Number.POSITIVE_INFINITY }: Terminal): string {
  return text
    .split('\n')
    .slice(0, rows)
    .map((line) => cutLine(line, columns))
    .join('\n');
}

/** Text of logs and files must not look like the lines that Pinhole adds below it: those alone begin with these words. */
function asData(text: string): string {
  return text.replace(/^(?=(?:next|more|skipped): )/gm, ' ');
}

/** The first line of an answer from a part of what there is: it may be wrong, so this is read before the rest. */
function partial({ indexing }: Envelope['meta']): string {
  if (typeof indexing !== 'object' || indexing === null) return '';
  const known: Readonly<Record<string, unknown>> = { ...indexing };
  const wait =
    typeof known.seconds_left === 'number'
      ? `in about ${countText(known.seconds_left)} s`
      : 'in a few seconds';
  return `${share(known)}; results may be incomplete: ask again ${wait}.\n`;
}

/** The same for a call that the time limit ended, with what was searched until then where that is known. */
function stopped({ truncated, searched }: Envelope['meta']): string {
  if (truncated !== true) return '';
  const told =
    typeof searched === 'string' ? `searched until then: ${searched}` : 'not everything was searched';
  return `Stopped at the time limit; ${told}.\n`;
}

/** The same for files that changed while the answer was written. */
function doubt({ index }: Envelope['meta']): string {
  if (typeof index !== 'object' || index === null || !('doubt' in index)) return '';
  return typeof index.doubt === 'string' ? `${index.doubt}.\n` : '';
}

/** Counted in files, or in bytes, which are shown as a percentage; the whole may not be known yet. */
function share({ files, of, done, total }: Readonly<Record<string, unknown>>): string {
  if (typeof files === 'number' && typeof of === 'number')
    return `Only ${countText(files)} of ${countOf(of, 'file')} ${of === 1 ? 'is' : 'are'} indexed so far`;
  if (typeof done === 'number' && typeof total === 'number' && total > 0)
    return `Only ${Math.min(99, Math.floor((100 * done) / total))} % is indexed so far`;
  return 'Not everything is indexed yet';
}

function more(
  { name }: Operation<never>,
  { total, left }: Pagination,
  cursor: string,
  words: CallWords,
): string {
  const call = words({ operation: name, input: { cursor } });
  const short = call === `${name} cursor=${cursor}` ? `cursor=${cursor}` : call;
  const counts = left !== undefined ? ` (${left} left)` : total !== undefined ? ` (${total} in all)` : '';
  return `more: ${short}${counts}`;
}

function skippedFiles({ skipped: files }: Envelope['meta']): string {
  if (typeof files !== 'object' || files === null) return '';
  return Object.entries(files)
    .map(([why, count]) => `${count} ${why.replaceAll('_', ' ')}`)
    .join(', ');
}
