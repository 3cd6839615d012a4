import { operation } from '../../contract/operation.ts';
import { byExtension } from '../reports/group-totals.ts';
import type { DiskServices } from '../services.ts';
import { groupReport, runGroupReport } from './group-report.ts';

export const diskExtensions = operation<DiskServices>()({
  ...groupReport,
  name: 'disk_extensions',
  summary: 'How much space each file extension takes below a folder.',
  http: 'GET /api/indexes/{index_id}/reports/extensions',
  command: { words: 'disk ext', positional: ['under'], examples: ['pinhole disk ext ~/src'] },
  run: (input, ctx) => runGroupReport(input, ctx, 'summed by extension', byExtension),
});
