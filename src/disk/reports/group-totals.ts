import { FLAG, isDir, KIND, KIND_MASK } from '../scan/node-kinds.ts';
import { capped } from '../sizes.ts';
import { diskOf } from '../tree/tree-nodes.ts';
import { furtherNames, inPieces, ROWS_AT_ONCE, type Scope } from './report-scope.ts';

/** The labels of what is no file. */
export const FOLDERS = '(folders)';
export const OTHERS = '(links and others)';

/** Files of one sort, counted and summed. */
export interface Group {
  readonly label: string;
  readonly files: number;
  readonly size: number;
  readonly disk_size: number;
}

/** Writes the group of each row from `from` to `to` into the column, at its place in the piece. */
type GroupRows = (from: number, to: number, into: Uint32Array) => void;

/** Sums a scope by groups. Folders count for their own size only. Two plain loops a piece: one to group, one to sum. */
async function grouped(scope: Scope, groups: number, groupRows: GroupRows) {
  const { tree, test } = scope;
  const { kind, size } = tree;
  const further = furtherNames(scope);
  const files = new Uint32Array(groups);
  const sizes = new Float64Array(groups);
  const disks = new Float64Array(groups);
  const column = new Uint32Array(Math.min(ROWS_AT_ONCE, scope.to - scope.from + 1));
  await inPieces(scope, (from, to) => {
    groupRows(from, to, column);
    for (let row = from; row <= to; row++) {
      if (test !== undefined && !test(row)) continue;
      const group = column[row - from] ?? 0;
      files[group] = (files[group] ?? 0) + 1;
      if (((kind[row] ?? 0) & FLAG.linked) !== 0 && further.has(row)) continue;
      sizes[group] = (sizes[group] ?? 0) + (size[row] ?? 0);
      disks[group] = (disks[group] ?? 0) + diskOf(tree, row);
    }
  });
  return (label: string, group: number): Group => ({
    label,
    files: files[group] ?? 0,
    size: capped(sizes[group] ?? 0),
    disk_size: capped(disks[group] ?? 0),
  });
}

/** What each extension takes, most on disk first; the groups add up to the folder's total. */
export async function byExtension(scope: Scope): Promise<Group[]> {
  const { kind, ext, meta } = scope.tree;
  const extensions = meta.extensions.length;
  const at = await grouped(scope, extensions + 2, (from, to, into) => {
    for (let row = from; row <= to; row++) {
      const bits = (kind[row] ?? 0) & KIND_MASK;
      const other = bits === KIND.dir ? extensions : extensions + 1;
      into[row - from] = bits === KIND.file ? (ext[row] ?? 0) : other;
    }
  });
  const groups = [...meta.extensions.keys()].map((number) =>
    at(extensionLabel(meta.extensions[number]), number),
  );
  groups.push(at(FOLDERS, extensions), at(OTHERS, extensions + 1));
  return groups
    .filter(({ files }) => files > 0)
    .sort((a, b) => b.disk_size - a.disk_size || b.files - a.files);
}

function extensionLabel(extension: string | undefined): string {
  return extension === undefined || extension === '' ? '(none)' : extension;
}

const DAY = 86_400;
const AGES: readonly (readonly [string, number])[] = [
  ['1d', DAY],
  ['7d', 7 * DAY],
  ['30d', 30 * DAY],
  ['90d', 90 * DAY],
  ['1y', 365 * DAY],
  ['2y', 2 * 365 * DAY],
  ['5y', 5 * 365 * DAY],
];

/** The group of each number of days; the last one stands for all that are more. */
function daysToGroups(): Uint8Array {
  const last = AGES.at(-1)?.[1] ?? 0;
  return Uint8Array.from({ length: last / DAY + 1 }, (_, day) => {
    const group = AGES.findIndex(([, age]) => day * DAY < age);
    return group < 0 ? AGES.length : group;
  });
}

/** What was last changed when, newest first. */
export async function byAge(scope: Scope, now: number): Promise<Group[]> {
  const { kind, mtime } = scope.tree;
  const seconds = now / 1000;
  const older = AGES.length;
  const folders = older + 1;
  const future = older + 2;
  const groupOfDay = daysToGroups();
  const lastDay = groupOfDay.length - 1;
  const at = await grouped(scope, older + 3, (from, to, into) => {
    for (let row = from; row <= to; row++) {
      // Whole days, cut towards zero: up to a day in the future counts as now.
      const days = ((seconds - (mtime[row] ?? 0)) / DAY) | 0;
      const group = days < 0 ? future : (groupOfDay[Math.min(days, lastDay)] ?? older);
      into[row - from] = isDir(kind[row] ?? 0) ? folders : group;
    }
  });
  const groups = AGES.map(([label], i) => at(`within ${label}`, i));
  groups.push(at('older than 5y', older), at('in the future', future), at(FOLDERS, folders));
  return groups.filter(({ files }) => files > 0);
}
