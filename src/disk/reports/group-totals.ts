import { at, float64At, uint8At, uint32At } from '../../contract/at.ts';
import { FLAG, isDir, KIND, KIND_MASK } from '../scan/node-kinds.ts';
import { capped } from '../sizes.ts';
import { diskOf } from '../tree/tree-nodes.ts';
import { ownerName } from '../tree/user-names.ts';
import { furtherNames, inPieces, ROWS_PER_PIECE, type Scope } from './row-scope.ts';

/** The labels of entries that are not files. */
export const FOLDERS = '(folders)';
export const OTHERS = '(links and others)';

/** The totals of one group of files. */
export interface Group {
  readonly label: string;
  readonly files: number;
  readonly size: number;
  readonly disk_size: number;
}

/** Writes the group of each row from `from` to `to` into a column that starts at `from`. */
type GroupRows = (from: number, to: number, into: Uint32Array) => void;

/** Adds up a scope by groups; folders count only their own size. Two simple loops per piece are faster than one. */
async function grouped(scope: Scope, groups: number, groupRows: GroupRows) {
  const { tree, test } = scope;
  const { kind, size } = tree;
  const further = furtherNames(scope);
  const files = new Uint32Array(groups);
  const sizes = new Float64Array(groups);
  const disks = new Float64Array(groups);
  const column = new Uint32Array(Math.min(ROWS_PER_PIECE, scope.to - scope.from + 1));
  await inPieces(scope, (from, to) => {
    groupRows(from, to, column);
    for (let row = from; row <= to; row++) {
      if (test !== undefined && !test(row)) continue;
      const group = column[row - from] ?? 0;
      files[group] = uint32At(files, group) + 1;
      if (((kind[row] ?? 0) & FLAG.linked) !== 0 && further.has(row)) continue;
      sizes[group] = float64At(sizes, group) + (size[row] ?? 0);
      disks[group] = float64At(disks, group) + diskOf(tree, row);
    }
  });
  return (label: string, group: number): Group => ({
    label,
    files: uint32At(files, group),
    size: capped(float64At(sizes, group)),
    disk_size: capped(float64At(disks, group)),
  });
}

/** Totals per extension, most on disk first; the groups add up to the folder's total. */
export async function byExtension(scope: Scope): Promise<Group[]> {
  const { kind, ext, meta } = scope.tree;
  const extensions = meta.extensions.length;
  const group = await grouped(scope, extensions + 2, (from, to, into) => {
    for (let row = from; row <= to; row++) {
      const bits = (kind[row] ?? 0) & KIND_MASK;
      const other = bits === KIND.dir ? extensions : extensions + 1;
      into[row - from] = bits === KIND.file ? (ext[row] ?? 0) : other;
    }
  });
  const groups = meta.extensions.map((extension, number) => group(extension || '(none)', number));
  groups.push(group(FOLDERS, extensions), group(OTHERS, extensions + 1));
  return groups
    .filter(({ files }) => files > 0)
    .sort((a, b) => b.disk_size - a.disk_size || b.files - a.files);
}

/** Totals per owner, most content first. */
export async function byOwner(scope: Scope): Promise<Group[]> {
  const { owner, meta } = scope.tree;
  const group = await grouped(scope, meta.owners.length, (from, to, into) => {
    for (let row = from; row <= to; row++) into[row - from] = owner[row] ?? 0;
  });
  const groups = meta.owners.map((uid, number) => group(ownerName(uid), number));
  return groups.filter(({ files }) => files > 0).sort((a, b) => b.size - a.size);
}

const DAY_SECONDS = 86_400;
const AGES: readonly (readonly [string, number])[] = [
  ['1d', DAY_SECONDS],
  ['7d', 7 * DAY_SECONDS],
  ['30d', 30 * DAY_SECONDS],
  ['90d', 90 * DAY_SECONDS],
  ['1y', 365 * DAY_SECONDS],
  ['2y', 2 * 365 * DAY_SECONDS],
  ['5y', 5 * 365 * DAY_SECONDS],
];

/** The group of each number of days; the last entry is for all higher numbers. */
function daysToGroups(): Uint8Array {
  const [, last] = at(AGES, AGES.length - 1);
  return Uint8Array.from({ length: last / DAY_SECONDS + 1 }, (_, day) => {
    const group = AGES.findIndex(([, age]) => day * DAY_SECONDS < age);
    return group < 0 ? AGES.length : group;
  });
}

/** Totals by time of the last change, newest first. */
export async function byAge(scope: Scope, now: number): Promise<Group[]> {
  const { kind, mtime } = scope.tree;
  const seconds = now / 1000;
  const older = AGES.length;
  const folders = older + 1;
  const future = older + 2;
  const groupOfDay = daysToGroups();
  const lastDay = groupOfDay.length - 1;
  const group = await grouped(scope, older + 3, (from, to, into) => {
    for (let row = from; row <= to; row++) {
      // Whole days, rounded towards zero: up to a day in the future counts as now.
      const days = ((seconds - (mtime[row] ?? 0)) / DAY_SECONDS) | 0;
      const age = days < 0 ? future : uint8At(groupOfDay, Math.min(days, lastDay));
      into[row - from] = isDir(kind[row] ?? 0) ? folders : age;
    }
  });
  const groups = AGES.map(([label], i) => group(`within ${label}`, i));
  groups.push(group('older than 5y', older), group('in the future', future), group(FOLDERS, folders));
  return groups.filter(({ files }) => files > 0);
}
