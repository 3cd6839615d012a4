import { z } from 'zod';
import { at } from '../../contract/at.ts';
import { oneLine } from '../../contract/bytes.ts';
import { countText } from '../../contract/format.ts';
import type { ReadonlyData, TextStyle } from '../../contract/operation.ts';
import type { CompiledFilter } from '../filter/compile-filter.ts';
import { Places } from '../reports/find-duplicates.ts';
import type { DiskContext } from '../services.ts';
import { capped } from '../sizes.ts';
import { pathOf } from '../tree/tree-nodes.ts';
import { relativeTo, terseSize } from './match-list.ts';
import type { QueryPart } from './query-parts.ts';

export const equalFilesSchema = z.object({
  wasted: z.int().describe('bytes of all copies but one'),
  count: z.int(),
  size: z.int().describe('bytes of one copy'),
  paths: z.array(z.string()).describe('some of the copies'),
});

export type EqualFiles = ReadonlyData<typeof equalFilesSchema>;

const MAX_PATHS = 2;

/** Groups of files with equal content that pass a filter, most wasted first. */
export async function equalFileGroups(
  { disk, signal }: DiskContext,
  parts: readonly { readonly part: QueryPart; readonly compiled: CompiledFilter | undefined }[],
  minSize: number | undefined,
): Promise<{ readonly groups: EqualFiles[]; readonly truncated: boolean }> {
  const spans = parts.map(({ part: { open, span } }) => ({ open, span }));
  const found = await disk.reports.duplicatesIn(spans, minSize, signal);
  const places = new Places(spans.map(({ open }) => open));
  const passes = (place: number) => {
    const { scope, row } = places.find(place);
    return at(parts, scope).compiled?.test(row) !== false;
  };
  const shown = (place: number) => {
    const { scope, tree, row } = places.find(place);
    const path = pathOf(tree, row);
    return parts.length > 1 ? path : relativeTo(at(parts, scope).part.path, path);
  };
  const groups = found.groups.flatMap(({ size, rows }): EqualFiles[] => {
    const passing = rows.filter(passes);
    const count = passing.length;
    if (count < 2) return [];
    const paths = passing.slice(0, MAX_PATHS).map(shown);
    return [{ wasted: capped(size * (count - 1)), count, size, paths }];
  });
  groups.sort((a, b) => b.wasted - a.wasted || (at(a.paths, 0) < at(b.paths, 0) ? -1 : 1));
  return { groups, truncated: found.truncated };
}

/** `wasted copies×size paths`, one line per group. */
export function equalFilesLines(groups: readonly EqualFiles[], { units }: TextStyle): string[] {
  return groups.map(({ wasted, count, size, paths }) => {
    const more = count > paths.length ? ` +${countText(count - paths.length)}` : '';
    const each = count === 2 ? '' : `${countText(count)}×${terseSize(size, units)} `;
    return `${terseSize(wasted, units)} ${each}${oneLine(inBraces(paths))}${more}`;
  });
}

/** `lib/{a.so,b/a.so}`: the folders that all paths begin with are written once. */
function inBraces(paths: readonly string[]): string {
  const [first = '', ...others] = paths;
  let shared = first.lastIndexOf('/') + 1;
  while (shared > 0 && !others.every((path) => path.startsWith(first.slice(0, shared))))
    shared = first.lastIndexOf('/', shared - 2) + 1;
  return shared === 0
    ? paths.join(' ')
    : `${first.slice(0, shared)}{${paths.map((path) => path.slice(shared)).join(',')}}`;
}
