import { z } from 'zod';
import { uint8At } from '../../contract/at.ts';
import { oneLine } from '../../contract/bytes.ts';
import { countText } from '../../contract/format.ts';
import type { ReadonlyData, TextStyle } from '../../contract/operation.ts';
import type { CompiledFilter } from '../filter/compile-filter.ts';
import { byFolder } from '../reports/folder-groups.ts';
import { byAge, byExtension, byOwner, type Group } from '../reports/group-totals.ts';
import { matchingRows, type Scope } from '../reports/row-scope.ts';
import { isDir } from '../scan/node-kinds.ts';
import { capped } from '../sizes.ts';
import { spansOf } from '../tree/row-spans.ts';
import { pathOf } from '../tree/tree-nodes.ts';
import { relativeTo, terseSize } from './match-list.ts';
import type { QueryPart } from './query-parts.ts';

export const groupSchema = z.object({
  label: z.string().describe('the extension, owner, age or folder'),
  files: z.int(),
  size: z.int().describe('bytes of content'),
  disk_size: z.int().describe('bytes allocated on the disk'),
});

export type MatchGroup = ReadonlyData<typeof groupSchema>;
export type TotalledBy = 'ext' | 'folder' | 'project' | 'owner' | 'age';

export interface GroupOptions {
  readonly by: TotalledBy;
  /** Levels of folders below the part, for `folder`; the folder that a file is in if undefined. */
  readonly depth: number | undefined;
  /** True if the filter asks for folders: they count with everything in them. */
  readonly wholeFolders: boolean;
  readonly now: number;
  readonly signal: AbortSignal;
}

/** Adds up what passes a filter in each part. Only files count, or folders as a whole where the filter asks for them. */
export async function matchGroups(
  parts: readonly { readonly part: QueryPart; readonly compiled: CompiledFilter | undefined }[],
  options: GroupOptions,
): Promise<MatchGroup[]> {
  const groups = new Map<string, MatchGroup>();
  for (const { part, compiled } of parts) {
    for (const group of await groupsOf(part, compiled, options, parts.length > 1)) {
      const known = groups.get(group.label);
      groups.set(group.label, known === undefined ? group : added(known, group));
    }
  }
  const all = [...groups.values()];
  return options.by === 'age' ? all : all.sort((a, b) => b.size - a.size || b.files - a.files);
}

function added(a: MatchGroup, b: MatchGroup): MatchGroup {
  return {
    label: a.label,
    files: a.files + b.files,
    size: capped(a.size + b.size),
    disk_size: capped(a.disk_size + b.disk_size),
  };
}

async function groupsOf(
  part: QueryPart,
  compiled: CompiledFilter | undefined,
  { by, depth, wholeFolders, now, signal }: GroupOptions,
  several: boolean,
): Promise<readonly Group[]> {
  const { tree } = part.open;
  const all: Scope = { tree, ...part.span, test: compiled?.test, marks: compiled?.marks, signal };
  const inside = wholeFolders ? await everythingIn(all) : undefined;
  const test = inside === undefined ? compiled?.test : (row: number) => inside[row] !== 0;
  const files: Scope = {
    ...all,
    marks: undefined,
    test: (row) => !isDir(uint8At(tree.kind, row)) && (test === undefined || test(row)),
  };
  if (by === 'ext') return byExtension(files);
  if (by === 'owner') return byOwner(files);
  if (by === 'age') return byAge(files, now);
  const groups = await byFolder(files, {
    base: part.base,
    depth: by === 'project' ? by : depth,
    tops: inside,
  });
  return groups.map(({ row, ...group }) => {
    const path = pathOf(tree, row);
    return { label: several ? path : relativeTo(part.path, path), ...group };
  });
}

/** For each row inside a matching folder, or of a matching file: the row of the outermost match plus one; else 0. */
async function everythingIn(scope: Scope): Promise<Uint32Array> {
  const inside = new Uint32Array(scope.tree.meta.nodes);
  for (const { from, to } of spansOf(scope.tree, await matchingRows(scope)))
    inside.fill(from + 1, from, to + 1);
  return inside;
}

/** `size files label`, one line per group. */
export function groupLines(groups: readonly MatchGroup[], { units }: TextStyle): string[] {
  return groups.map(
    ({ label, files, size }) => `${terseSize(size, units)} ${countText(files)} ${oneLine(label)}`,
  );
}
