import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { columns, countOf, sizeText } from '../../contract/format.ts';
import { operation, page, type TextStyle } from '../../contract/operation.ts';
import { ageOf } from '../indexes/freshness.ts';
import { byAge, byExtension, FOLDERS, type Group, OTHERS } from '../reports/group-totals.ts';
import { sumSizes } from '../sizes.ts';
import { bar } from './bar.ts';
import type { DiskServices } from './choose.ts';
import { explained, reportInput, reportScope } from './report-input.ts';

interface Groups {
  readonly groups: readonly Group[];
  /** What all groups take together, also those on other pages. */
  readonly total_disk_size: number;
}

export const reportExtensions = operation<DiskServices>()({
  name: 'disk_extensions',
  toolset: undefined,
  readOnly: true,
  summary: 'What each file extension takes below a folder.',
  input: z.strictObject(reportInput),
  limit: { default: 30, max: 500 },
  rows: 'groups',
  columns: ['label', 'files', 'size', 'disk_size'],
  explains: true,
  aliases: { path: 'under', parent: 'under' },
  http: 'GET /api/indexes/{index_id}/reports/extensions',
  command: { words: 'disk ext', positional: ['under'], examples: ['pinhole disk ext ~/src'] },

  async run(input, ctx) {
    const started = performance.now();
    const scope = await reportScope(input, ctx);
    const rows = await byExtension(scope);
    return page<Group, Groups>({
      rows,
      position: ({ label }) => label,
      shape: shapeOf(rows),
      total: rows.length,
      keep: {},
      meta: ageOf(scope.open, ctx.now()),
      explain: () => explained(scope, 'summed by extension', started),
    });
  },

  text: groupsText,
});

export const reportAges = operation<DiskServices>()({
  name: 'disk_ages',
  toolset: undefined,
  readOnly: true,
  summary: 'How long ago the files below a folder were changed.',
  input: z.strictObject(reportInput),
  limit: { default: 30, max: 500 },
  rows: 'groups',
  columns: ['label', 'files', 'size', 'disk_size'],
  explains: true,
  aliases: { path: 'under', parent: 'under' },
  http: 'GET /api/indexes/{index_id}/reports/ages',
  command: { words: 'disk age', positional: ['under'], examples: ['pinhole disk age ~'] },

  async run(input, ctx) {
    const started = performance.now();
    const scope = await reportScope(input, ctx);
    const rows = await byAge(scope, ctx.now());
    return page<Group, Groups>({
      rows,
      position: ({ label }) => label,
      shape: shapeOf(rows),
      total: rows.length,
      keep: {},
      meta: ageOf(scope.open, ctx.now()),
      explain: () => explained(scope, 'summed by modification time', started),
    });
  },

  text: groupsText,
});

/** The groups of a page, with what all of them take. */
function shapeOf(all: readonly Group[]): (groups: readonly Group[]) => Groups {
  const total_disk_size = sumSizes(all, (group) => group.disk_size);
  return (groups) => ({ groups, total_disk_size });
}

/** Folders and links have groups of their own, and are no files. */
function countedText({ label, files }: Group): string {
  if (label === FOLDERS) return countOf(files, 'folder');
  return label === OTHERS ? countOf(files, 'entry', 'entries') : countOf(files, 'file');
}

function groupsText({ groups }: Groups, { units }: TextStyle): string {
  const most = Math.max(1, ...groups.map((group) => group.disk_size));
  const rows = groups.map((group) => [
    oneLine(group.label),
    bar(group.disk_size / most),
    sizeText(group.disk_size, units),
    countedText(group),
  ]);
  return rows.length === 0 ? 'No files.' : columns(rows, [2, 3]);
}
