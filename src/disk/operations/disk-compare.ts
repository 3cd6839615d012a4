import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { columns, sizeText } from '../../contract/format.ts';
import { operation, page, type ReadonlyData } from '../../contract/operation.ts';
import { requireWhole } from '../indexes/index-access.ts';
import { compareTrees, type Difference } from '../reports/compare-trees.ts';
import type { DiskServices } from '../services.ts';
import { index_id } from './input-fields.ts';

const comparisonSchema = z.object({
  folders: z.array(
    z.object({
      path: z.string().describe('relative to both roots'),
      one: z.int().optional().describe('bytes on the disk in the first index, if the folder is there'),
      other: z.int().optional().describe('bytes on the disk in the second index, if the folder is there'),
      difference: z.int().describe('bytes the second has more than the first'),
    }),
  ),
});

const MAX_FOLDERS = 1_000;

export const diskCompare = operation<DiskServices>()({
  name: 'disk_compare',
  toolset: undefined,
  readOnly: true,
  summary: 'Folders that differ in size between two indexes, such as a copy and its original.',
  input: z.strictObject({
    index_id,
    other: index_id.describe('the index to compare with, e.g. i4'),
  }),
  limit: { default: 20, max: 500 },
  data: comparisonSchema,
  rows: 'folders',
  http: 'GET /api/indexes/{index_id}/compare/{other}',
  command: {
    words: 'disk compare',
    positional: ['index_id', 'other'],
    examples: ['pinhole disk compare i1 i2'],
  },

  async run({ index_id, other }, { disk, roots }) {
    const one = await disk.indexes.open(index_id);
    const two = await disk.indexes.open(other);
    requireWhole(one.tree, roots);
    requireWhole(two.tree, roots);
    return page<Difference, ReadonlyData<typeof comparisonSchema>>({
      rows: compareTrees(one.tree, two.tree, MAX_FOLDERS),
      position: ({ path }) => path,
      shape: (folders) => ({ folders }),
      keep: {},
    });
  },

  text: ({ folders }, { units }) =>
    folders.length === 0
      ? 'Both have the same sizes.'
      : columns(
          folders.map(({ path, one, other, difference }) => [
            `${difference < 0 ? '-' : '+'}${sizeText(Math.abs(difference), units)}`,
            one === undefined ? 'only in the second' : sizeText(one, units),
            other === undefined ? 'only in the first' : sizeText(other, units),
            oneLine(path),
          ]),
          [0, 1, 2],
        ),
});
