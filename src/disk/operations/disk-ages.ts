import { operation } from '../../contract/operation.ts';
import { byAge } from '../reports/group-totals.ts';
import type { DiskServices } from '../services.ts';
import { groupReport, runGroupReport } from './group-report.ts';

export const diskAges = operation<DiskServices>()({
  ...groupReport,
  name: 'disk_ages',
  summary: 'How long ago the files below a folder were modified.',
  http: 'GET /api/indexes/{index_id}/reports/ages',
  command: { words: 'disk age', positional: ['under'], examples: ['pinhole disk age ~'] },
  run: (input, ctx) =>
    runGroupReport(input, ctx, 'summed by modification time', (scope) => byAge(scope, ctx.now())),
});
