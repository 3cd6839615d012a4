import { scopeSpan } from '../indexes/index-access.ts';
import type { OpenIndex } from '../indexes/index-catalog.ts';
import type { Scope } from '../reports/row-scope.ts';
import type { DiskContext } from '../services.ts';
import { chooseIndex, namedOrCurrent } from './chosen-index.ts';
import { chosen_index_id, filter, under } from './input-fields.ts';

/** What every report takes: an index, a folder or node to look below, and a filter. */
export const reportInput = { index_id: chosen_index_id, under, filter };

export interface ReportScope extends Scope {
  readonly open: OpenIndex;
  readonly plan: readonly string[];
}

/** The part of an index that a report is about. */
export async function reportScope(
  input: { index_id?: string | undefined; under?: string | undefined; filter?: unknown },
  ctx: DiskContext,
): Promise<ReportScope> {
  const under = await namedOrCurrent(ctx, input);
  const open = await chooseIndex(ctx, input.index_id, under);
  const span = await scopeSpan(open.tree, under, ctx.roots);
  const compiled = await ctx.disk.filters.compile(open, span, input.filter, ctx.signal);
  return {
    open,
    tree: open.tree,
    ...span,
    test: compiled?.test,
    marks: compiled?.marks,
    signal: ctx.signal,
    plan: compiled?.plan ?? ['every node'],
  };
}

/** The plan behind a report, for `format=explain`. */
export function explainReport(scope: ReportScope, step: string, started: number) {
  const { plan, from, to } = scope;
  return { steps: [...plan, step], rows: to - from + 1, ms: Math.round(performance.now() - started) };
}
