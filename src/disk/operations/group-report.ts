import { z } from 'zod';
import { bar } from '../../contract/bar.ts';
import { oneLine } from '../../contract/bytes.ts';
import { columns, countOf, sizeText } from '../../contract/format.ts';
import { page, type ReadonlyData, type TextStyle } from '../../contract/operation.ts';
import { ageOf } from '../indexes/freshness.ts';
import { FOLDERS, type Group, OTHERS } from '../reports/group-totals.ts';
import type { DiskContext } from '../services.ts';
import { sumSizes } from '../sizes.ts';
import { disk_size, files, size } from './data-fields.ts';
import { explainReport, type ReportScope, reportInput, reportScope } from './report-scope.ts';

const groupsSchema = z.object({
  groups: z.array(z.object({ label: z.string(), files, size, disk_size })),
  total_disk_size: z.int().describe('bytes that all groups take together, on other pages too'),
});

type Groups = ReadonlyData<typeof groupsSchema>;

/** What the operations that sum files by groups declare alike. */
const BAR_WIDTH = 20;

export const groupReport = {
  toolset: undefined,
  readOnly: true,
  input: z.strictObject(reportInput),
  limit: { default: 30, max: 500 },
  data: groupsSchema,
  rows: 'groups',
  explains: true,
  aliases: { path: 'under', parent: 'under' },
  text: groupsText,
} as const;

/** Sums the files in the scope of a call; `step` describes how in the plan. */
export async function runGroupReport(
  input: z.output<typeof groupReport.input>,
  ctx: DiskContext,
  step: string,
  group: (scope: ReportScope) => Promise<readonly Group[]>,
) {
  const started = performance.now();
  const scope = await reportScope(input, ctx);
  const rows = await group(scope);
  const total_disk_size = sumSizes(rows, ({ disk_size }) => disk_size);
  return page<Group, Groups>({
    rows,
    position: ({ label }) => label,
    shape: (groups) => ({ groups, total_disk_size }),
    total: rows.length,
    keep: {},
    meta: ageOf(scope.open, scope.from, ctx.now()),
    explain: () => explainReport(scope, step, started),
  });
}

function groupsText({ groups }: Groups, { units, terminal, paint }: TextStyle): string {
  const largest = Math.max(1, ...groups.map((group) => group.disk_size));
  const rows = groups.map((group) => [
    oneLine(group.label),
    paint('size', sizeText(group.disk_size, units)),
    countText(group),
    ...(terminal ? [paint('bar', bar(group.disk_size / largest, BAR_WIDTH, terminal))] : []),
  ]);
  return rows.length === 0 ? 'No files.' : columns(rows, [1, 2]);
}

/** Folders and links are groups of their own, and are not counted as files. */
function countText({ label, files }: Groups['groups'][number]): string {
  if (label === FOLDERS) return countOf(files, 'folder');
  return label === OTHERS ? countOf(files, 'entry', 'entries') : countOf(files, 'file');
}
