import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { countOf } from '../../contract/format.ts';
import type { ReadonlyData, TextStyle } from '../../contract/operation.ts';
import { localMinute } from '../../contract/zone.ts';
import { changeText } from '../../jobs/operations/report-text.ts';
import { dirs, files } from '../operations/data-fields.ts';
import { equalFilesLines, equalFilesSchema } from './equal-files.ts';
import { groupLines, groupSchema } from './match-groups.ts';
import { MATCH_SORTS, matchLines, matchSchema, terseSize } from './match-list.ts';

const change = {
  grown: z.int().describe('bytes more than before; negative if it shrank'),
  files: z.int().describe('files more than before'),
  added: z.int().describe('new files'),
  removed: z.int().describe('files that are gone'),
  modified: z.int().describe('files that were there before and were modified since'),
};

const changeSchema = z.object({
  path: z.string(),
  ...change,
  state: z.enum(['new', 'gone']).optional().describe('such a folder counts with everything in it'),
});

/** The answer to a query: matches, or one kind of groups. */
export const queryAnswerSchema = z.object({
  query_id: z.string().optional(),
  selection_id: z.string().optional().describe('if the result was stored'),
  index_id: z.string().optional(),
  root: z.string().optional().describe('the folder that paths are relative to'),
  indexes: z
    .array(z.object({ index_id: z.string(), root: z.string() }))
    .optional()
    .describe('if it is about several folders that the call did not name; paths are full then'),
  note: z.string().optional().describe('why nothing was found, or why the answer may be out of date'),
  counts: z.object({ matches: z.int(), files, dirs }).optional(),
  total_size: z.int().optional(),
  total_disk_size: z.int().optional(),
  wasted: z.int().optional().describe('bytes of all copies but one, in all groups'),
  since: z.string().optional().describe('time of the earlier scan'),
  total: z.object(change).optional().describe('the change of everything together'),
  grouped_by: z.string().optional(),
  sorted_by: z.enum(MATCH_SORTS).optional().describe('if not by size'),
  report: z.array(matchSchema).optional(),
  groups: z.array(groupSchema).optional(),
  duplicates: z.array(equalFilesSchema).optional(),
  growth: z.array(changeSchema).optional(),
  rest: z.object({ nodes: z.int(), size: z.int() }).optional().describe('the matches that come later'),
  overlap: z
    .int()
    .optional()
    .describe('bytes that several of the matches include, such as a file and its folder; they count once'),
});

export type QueryAnswer = ReadonlyData<typeof queryAnswerSchema>;

const MAX_ROOTS = 4;

/** The folders it is about, what there is in all, then one line per row. */
export function queryAnswerText(answer: QueryAnswer, style: TextStyle): string {
  const { indexes = [], query_id, selection_id } = answer;
  const roots = answer.root === undefined ? indexes.map(({ root }) => root) : [answer.root];
  const more = roots.length > MAX_ROOTS ? `, ${roots.length - MAX_ROOTS} more` : '';
  const stored = [selection_id, query_id].filter((id) => id !== undefined).join(' ');
  const head = [
    ...(stored === '' ? [] : [stored]),
    ...(roots.length === 0 ? [] : [`${roots.slice(0, MAX_ROOTS).map(oneLine).join(', ')}${more}:`]),
    summary(answer, style),
  ].join(' ');
  return [head, ...lines(answer, style)].join('\n');
}

function summary(answer: QueryAnswer, { units, zone }: TextStyle): string {
  const { counts, total_size = 0, grouped_by, groups, duplicates, growth } = answer;
  const size = terseSize(total_size, units);
  const note = answer.note === undefined ? '' : `. ${oneLine(answer.note)}`;
  if (growth !== undefined) {
    if (answer.since === undefined || answer.total === undefined) return oneLine(answer.note ?? '');
    const since = localMinute(answer.since, zone);
    return growth.length === 0
      ? `nothing changed since ${since}${note}`
      : `since ${since} ${changeText(answer.total, units)}${note}`;
  }
  if (counts?.matches === 0) return oneLine(answer.note ?? '');
  if (groups !== undefined)
    return `${countOf(counts?.files ?? 0, 'file')}, ${size}; size files ${grouped_by}${note}`;
  if (duplicates !== undefined)
    return `${countOf(counts?.matches ?? 0, 'group')}, ${terseSize(answer.wasted ?? 0, units)} wasted${note}`;
  const total =
    answer.sorted_by === 'disk_size' ? `${terseSize(answer.total_disk_size ?? 0, units)} on disk` : size;
  return `${countOf(counts?.matches ?? 0, 'match', 'matches')}, ${total}${note}`;
}

function lines(answer: QueryAnswer, style: TextStyle): string[] {
  const { report, groups, duplicates, growth } = answer;
  return [
    ...(report === undefined ? [] : matchLines(report, answer.sorted_by, style)),
    ...(groups === undefined ? [] : groupLines(groups, style)),
    ...(duplicates === undefined ? [] : equalFilesLines(duplicates, style)),
    ...(growth === undefined ? [] : growth.map((one) => changeText(one, style.units))),
  ];
}
