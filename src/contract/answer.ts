import { TimeLimit, unlessAborted } from './abort.ts';
import type { Caller } from './caller.ts';
import { CURSOR_VERSION, type CursorStore, saveCursor, shortId } from './cursor.ts';
import { type Envelope, type RenderContext, type Rendered, render, renderCut } from './envelope.ts';
import { fillPage, type Pulled } from './fill.ts';
import type { RawInput } from './input.ts';
import {
  knownTotal,
  type Operation,
  type Page,
  type Position,
  type Single,
  type TextStyle,
} from './operation.ts';
import { redactDeep } from './redact.ts';
import { iterate, type ResultSet, type ResultSets } from './result-sets.ts';

export interface AnswerContext {
  readonly operation: Operation<never>;
  /** The arguments to remember with a cursor. */
  readonly input: RawInput;
  readonly caller: Caller;
  readonly style: TextStyle;
}

export interface PageContext extends AnswerContext {
  readonly page: Page<unknown, unknown>;
  /** Set for kept results; then rows come from there, from `offset` on. */
  readonly set: ResultSet | undefined;
  readonly offset: number;
  readonly signal: AbortSignal;
  readonly limit: number;
  readonly now: () => number;
  readonly cursors: CursorStore;
  readonly results: ResultSets;
}

/** Writes an answer of one thing within the caller's budget. */
export function answerSingle(context: AnswerContext, result: Single<unknown>): Rendered {
  const { data, hint, link, links, meta = {} } = result;
  return finish({ data, hint, link, links, meta }, context, result.budget);
}

/** Writes as many rows as fit and leaves a cursor for the rest. */
export async function answerPage(context: PageContext): Promise<Rendered> {
  const { page, set, caller, input, operation } = context;
  const source = rowSource(context);
  const cursorAt = (mark: Position) =>
    set ? `${set.id}.${mark}` : shortId('c', operation.name, input, mark, CURSOR_VERSION);

  const build = (rows: readonly Pulled<Position>[], more: boolean): Envelope => {
    const last = rows.at(-1);
    const hasMore = (more || source.stopped()) && last !== undefined;
    const { hint, link, links, meta = {} } = page;
    return {
      data: page.shape(
        rows.map(({ row }) => row),
        hasMore,
      ),
      pagination: {
        total_in_page: rows.length,
        total: set ? set.total() : knownTotal(page),
        has_more: hasMore,
        next_cursor: hasMore ? cursorAt(last.mark) : undefined,
      },
      hint,
      link,
      links,
      meta: source.stopped() ? { ...meta, truncated: true, searched: page.searched?.() } : meta,
    };
  };
  const rendering = renderContext(context);
  const filled = await fillPage({
    pull: source.pull,
    limit: page.limit ?? context.limit,
    build,
    fits: (envelope) =>
      render(envelope, rendering).bytes <= Math.min(caller.budget, page.budget ?? caller.budget),
  });
  source.close();

  const last = filled.rows.at(-1);
  if (filled.built.pagination?.has_more && last !== undefined) {
    if (set) context.results.keep(set);
    else await saveCursor(context.cursors, operation.name, input, last.mark, context.now());
  }
  const whole = filled.oversize && last ? page.whole?.(last.row) : undefined;
  const envelope = whole === undefined ? filled.built : { ...filled.built, hint: whole };
  return finish(envelope, context, page.budget);
}

/** Redacts what rows did not bring along, and cuts where even the least is too much. */
function finish(envelope: Envelope, context: AnswerContext, glance: number | undefined): Rendered {
  const { data, hint, link, links } = envelope;
  const clean = { ...envelope, ...redactDeep({ data, hint, link, links }) };
  const rendering = renderContext(context);
  const rendered = render(clean, rendering);
  const budget = Math.min(context.caller.budget, glance ?? context.caller.budget);
  return rendered.bytes <= budget ? rendered : renderCut(clean, rendering, budget);
}

function renderContext({ operation, caller, style }: AnswerContext): RenderContext {
  return { operation: operation.name, format: caller.format, style, text: operation.text };
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
