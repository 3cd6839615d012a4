import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import type { ReadonlyData, TextStyle } from '../../contract/operation.ts';
import { localMinute } from '../../contract/zone.ts';
import { describeFilter } from '../filter/describe-filter.ts';
import { indexHandle, queryHandle, selectionHandle } from '../handles.ts';
import { MODES, type SavedQuery } from '../saved-queries.ts';

/** A saved query as callers see it. */
export const queryCardSchema = z.object({
  query_id: z.string(),
  name: z.string(),
  filter_summary: z.string(),
  index_id: z.string().optional(),
  selection_id: z.string().optional().describe('the selection that holds its results'),
  mode: z.enum(MODES),
  last_executed_at: z.string().optional(),
});

export type QueryCard = ReadonlyData<typeof queryCardSchema>;

export function queryCard(query: SavedQuery): QueryCard {
  return {
    query_id: queryHandle(query.id),
    name: query.name,
    filter_summary: describeFilter(query.filter),
    index_id: query.index === undefined ? undefined : indexHandle(query.index),
    selection_id: query.selection === undefined ? undefined : selectionHandle(query.selection),
    mode: query.mode,
    last_executed_at: query.lastRunAt === undefined ? undefined : new Date(query.lastRunAt).toISOString(),
  };
}

export const queryText = (card: QueryCard, { zone }: Pick<TextStyle, 'zone'>) =>
  `${card.query_id} ${oneLine(card.name)}  ${oneLine(card.filter_summary)}${card.last_executed_at ? `  last run ${localMinute(card.last_executed_at, zone)}` : ''}`;
