import { TimeLimit, unlessAborted } from './abort.ts';
import { nextPage } from './call-words.ts';
import { answerBudget, type Caller } from './caller.ts';
import { CURSOR_VERSION, type CursorStore, type LeftAt, rowMark, saveCursor, shortId } from './cursor.ts';
import type { Envelope } from './envelope.ts';
import { fillPage, type Pulled } from './fill.ts';
import { isObject } from './guards.ts';
import type { RawInput } from './input.ts';
import { knownTotal, type Operation, type Page, type Position, type Single } from './operation.ts';
import { redactDeep } from './redact.ts';
import { type Rendered, type Rendering, render, renderCut } from './render.ts';
import { iterate, type ResultSet, type ResultSets } from './result-sets.ts';
import { withRowLinks } from './row-links.ts';

export interface AnswerContext {
  readonly operation: Operation<never>;
  /** The arguments to remember with a cursor. */
  readonly input: RawInput;
  readonly caller: Caller;
  /** The number of rows the caller wants at most. */
  readonly limit: number;
  readonly rendering: Rendering;
  /** Whether a server answers at the addresses of links. */
  readonly served: boolean;
  /** The full address of a path. */
  readonly url: (path: string) => string;
}

/** A successful answer: the value, and how the caller's door wrote it while filling the budget. */
export interface Written {
  readonly envelope: Envelope;
  readonly rendered: Rendered;
}

export interface PageContext extends AnswerContext {
  readonly page: Page<unknown, unknown>;
  /** Set for kept results; then rows come from there, from `offset` on. */
  readonly set: ResultSet | undefined;
  readonly offset: number;
  /** True on the first page of a list. */
  readonly first: boolean;
  /** How long this call takes: for later pages of kept results, whose own time is that of the search. */
  readonly ms?: (() => number) | undefined;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly cursors: CursorStore;
  readonly results: ResultSets;
}

/** Writes an answer of one thing within the caller's budget. */
export function answerSingle(context: AnswerContext, result: Single<unknown>): Written {
  const { data, next, link, links, meta = {} } = result;
  const budget = bytesFor(context, result.budget);
  return finish({ data, ...extras({ next, link, links }), meta }, guided(context, result.guides), budget);
}

/** Writes as many rows as fit and leaves a cursor for the rest. */
export async function answerPage(context: PageContext): Promise<Written> {
  const { page, set, input, operation } = context;
  const source = rowSource(context);
  const cursorAt = (mark: Position) =>
    set ? `${set.id}.${mark}` : shortId('c', operation.name, input, mark, CURSOR_VERSION);

  const build = (rows: readonly Pulled<Position>[], more: boolean): Envelope => {
    const last = rows.at(-1);
    const hasMore = (more || source.stopped()) && last !== undefined;
    const { next, link } = page;
    const cursor = hasMore ? cursorAt(last.mark) : undefined;
    const links = withNextPage(context, cursor);
    const total = set ? set.total() : knownTotal(page);
    const before = set ? context.offset : context.first ? 0 : undefined;
    const left = total === undefined || before === undefined ? undefined : total - before - rows.length;
    const shaped = page.shape(
      rows.map(({ row }) => row),
      hasMore,
    );
    return {
      // Only scripts follow links from row to row: agents have `next`, and the page makes its own.
      data: context.caller.door === 'rest' ? withRowLinks(operation, shaped, context.url) : shaped,
      pagination: {
        total_in_page: rows.length,
        total,
        left: hasMore && left !== undefined && left > 0 ? left : undefined,
        has_more: hasMore,
        next_cursor: cursor,
      },
      ...extras({ next, link, links }),
      meta: metaOf(context, source.stopped()),
    };
  };
  const most = page.limit ?? context.limit;
  const limit = Math.min(most, (context.first ? page.first : undefined) ?? most);
  const budget = bytesFor({ ...context, limit }, page.budget);
  const { rendering } = guided(context, page.guides);
  let measured: Written | undefined;
  const filled = await fillPage({
    pull: source.pull,
    limit,
    budget,
    build,
    sizeOf(envelope) {
      measured = { envelope, rendered: render(envelope, operation, rendering) };
      return measured.rendered.bytes;
    },
  });
  source.close();

  const last = filled.rows.at(-1);
  if (filled.built.pagination?.has_more && last !== undefined) {
    if (set) {
      set.issued.add(last.mark);
      const id = context.results.keep(set);
      if (context.cursors.byAllNodes === true) await leave(context, `${id}.${last.mark}`, set, last.row);
    } else await saveCursor(context.cursors, operation.name, input, last.mark, context.now());
  }
  const whole = filled.oversize && last ? page.whole?.(last.row) : undefined;
  const envelope = whole === undefined ? filled.built : { ...filled.built, next: [whole] };
  const guides = page.guides === true || whole !== undefined;
  return finish(envelope, guided(context, guides), budget, measured);
}

/** Notes for other nodes where kept results were left. */
async function leave(
  { cursors, operation, input, now }: PageContext,
  id: string,
  { folders, scope }: ResultSet,
  row: unknown,
): Promise<void> {
  const left: LeftAt = { row: rowMark(row), folders, scope };
  const position = JSON.stringify(left);
  await cursors.save(id, {
    operation: operation.name,
    input,
    position,
    created_at: now(),
    version: CURSOR_VERSION,
  });
}

function guided<Context extends AnswerContext>(context: Context, guides: boolean | undefined): Context {
  return guides ? { ...context, rendering: { ...context.rendering, guides } } : context;
}

/** The addresses of an answer with that of its next page, where a GET request returns it. */
function withNextPage(
  { page: { links }, caller, operation, input, url }: PageContext,
  cursor: string | undefined,
): Envelope['links'] {
  // The page makes its own addresses, and nobody sees them in text.
  if (cursor === undefined || caller.door === 'page' || caller.format === 'text') return links;
  const next = nextPage(operation, input, cursor);
  return next === undefined ? links : { ...links, next: url(next) };
}

/** The bytes of an answer: what the operation declares, or less where the answer itself says so. */
function bytesFor({ caller, operation, limit }: AnswerContext, own: number | undefined): number {
  const budget = answerBudget(caller, operation, limit);
  return Math.min(budget, own ?? budget);
}

/** Facts about the answer, which are read as late as they can be. */
function metaOf({ page: { meta = {}, searched }, ms }: PageContext, stopped: boolean): Envelope['meta'] {
  if (!stopped && (ms === undefined || !('ms' in meta))) return meta;
  return {
    ...meta,
    ...(ms !== undefined && 'ms' in meta && { ms: ms() }),
    ...(stopped && { truncated: true, ...extras({ searched: searched?.() }) }),
  };
}

/**
 * Redacts what rows did not bring along, and cuts where even the least is too much. What was measured and needed no
 * redaction is not written again.
 */
function finish(envelope: Envelope, context: AnswerContext, budget: number, measured?: Written): Written {
  const { next } = envelope;
  const { link, links } = context.served ? envelope : {};
  const data = context.served ? envelope.data : withoutAddresses(envelope.data);
  const { pagination, meta } = envelope;
  const content = { data, ...extras({ next }) };
  const cleanContent = redactDeep(content);
  const addresses = extras({ link, links });
  const cleanAddresses = escaped(redactDeep(addresses));
  const clean = { ...extras({ pagination }), ...cleanContent, ...cleanAddresses, meta };
  const same =
    cleanContent === content && data === envelope.data && isSame(addresses, envelope, cleanAddresses);
  if (same && measured?.envelope === envelope && measured.rendered.bytes <= budget)
    return { envelope: clean, rendered: measured.rendered };
  const { operation, rendering } = context;
  const rendered = render(clean, operation, rendering);
  return rendered.bytes <= budget
    ? { envelope: clean, rendered }
    : renderCut(clean, operation, rendering, budget);
}

/** Whether redaction left the addresses of an envelope as they were. */
function isSame(
  kept: Pick<Envelope, 'link' | 'links'>,
  { link, links }: Pick<Envelope, 'link' | 'links'>,
  clean: Pick<Envelope, 'link' | 'links'>,
): boolean {
  return (
    kept.link === link &&
    kept.links === links &&
    clean.link === link &&
    Object.entries(links ?? {}).every(([name, to]) => clean.links?.[name] === to)
  );
}

/** Where no server answers, fields such as `status_url` lead nowhere. */
function withoutAddresses(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(withoutAddresses);
  if (!isObject(data)) return data;
  return Object.fromEntries(
    Object.entries(data)
      .filter(([name]) => !name.endsWith('_url'))
      .map(([name, value]) => [name, Array.isArray(value) ? withoutAddresses(value) : value]),
  );
}

/** Redaction writes brackets, which addresses must not contain. */
function escaped({ link, links }: Pick<Envelope, 'link' | 'links'>): Pick<Envelope, 'link' | 'links'> {
  const plain = (address: string) => address.replace(/[[\]]/g, encodeURIComponent);
  return extras({
    link: link && plain(link),
    links: links && Object.fromEntries(Object.entries(links).map(([name, to]) => [name, plain(to)])),
  });
}

/** Only what is there: an answer has no empty fields. */
function extras<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** Rows one after the other, redacted; a time limit after the first row ends them instead of failing. */
function rowSource({ page, set, offset, signal }: PageContext) {
  const rows = set ? undefined : iterate(page.rows);
  let index = offset;
  let pulled = 0;
  let stopped = false;
  const next = async (): Promise<unknown> => {
    if (set) return set.row(index);
    const step = await rows?.next();
    return step?.done ? undefined : step?.value;
  };
  return {
    stopped: () => stopped,
    close: () => void rows?.return?.(undefined),
    async pull(): Promise<Pulled<Position> | undefined> {
      try {
        const row = await unlessAborted(signal, next());
        if (row === undefined) return undefined;
        index++;
        pulled++;
        return { row: redactDeep(row), mark: set ? index : page.position(row) };
      } catch (error) {
        if (!(signal.reason instanceof TimeLimit)) throw error;
        if (pulled === 0) throw signal.reason.having(page.searched?.());
        stopped = true;
        return undefined;
      }
    },
  };
}
