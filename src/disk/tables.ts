import type { SqlTable } from '../store/sql-table.ts';
import { KIND, KIND_NAMES } from './scan/node-kinds.ts';

/*
 * The disk as tables. The rows of an index are loaded from its snapshot into tables in memory, `nodes` for files and
 * `dirs` for folders, with the row number in the tree as id; paths are kept for folders only, with the `slash` that
 * comes after them. `{visible}` stands for the rows that the caller may read, `{owner}` for the name of a user. What
 * few queries need of other tables is looked up where they need it: SQLite would join them for every counted row.
 */

const COMMON = {
  path: { type: 'text', meaning: 'absolute path' },
  name: { type: 'text', meaning: 'name without the folder' },
  folder: { type: 'text', meaning: 'path of the folder that holds it', rare: true },
  root: { type: 'text', meaning: 'folder that was indexed' },
} as const;

/** Folders and files in which version control keeps its own data; in a worktree of git, `.git` is a file. */
const VCS_NAMES = ['.git', '.hg', '.svn', '.jj', '.bzr', 'CVS'];
export const VCS: ReadonlySet<string> = new Set(VCS_NAMES);

/** Whether a path is in such a folder, or is one. */
export function inVcs(path: string): boolean {
  return path.split('/').some((name) => VCS.has(name));
}

const VCS_COLUMN = {
  vcs: { type: 'integer', meaning: `1: data of version control, in ${VCS_NAMES.join(', ')}` },
} as const;

const FACTS = {
  modified: { type: 'time', meaning: 'last modification' },
  owner: { type: 'text', meaning: 'user name', rare: true },
  depth: {
    type: 'integer',
    meaning: 'levels below the indexed folder, which is root; dirname counts from /',
  },
} as const;

const IN_VCS = VCS_NAMES.map((name) => `'${name}'`).join(', ');

const kinds = Object.entries(KIND)
  .map(([name, number]) => `WHEN ${number} THEN '${name}'`)
  .join(' ');

const ROOT = '(SELECT path FROM {db}.roots WHERE id = n.id >> 32)';
const FROM_MODES = 'FROM {db}.modes WHERE id = n.id';
const FROM_LINKS = 'FROM {db}.link_targets WHERE id = n.id';

/** What else a SELECT of files has: columns, and the joined tables that these come from. */
interface More {
  readonly columns: string;
  readonly joins: string;
}

/** The SELECT of files. `ofFolder` gets a value from the row `d` of the folder that holds the file. */
function selectFiles(ofFolder: (value: string) => string, { columns, joins }: More): string {
  return `SELECT ${ofFolder('d.path || d.slash || n.name')}, n.name, ${ofFolder('d.path')}, ${ROOT}, n.ext,
    CASE n.kind ${kinds} END, n.size, n.disk_size, n.modified, {owner:n.owner}, n.depth,
    n.name IN (${IN_VCS}) OR ${ofFolder('d.vcs')}, (SELECT printf('%o', mode) ${FROM_MODES}),
    n.kind = 0 AND ((SELECT mode ${FROM_MODES}) & 73) > 0, n.links, (SELECT inode FROM {db}.inodes WHERE id = n.id),
    (SELECT target ${FROM_LINKS}), (SELECT resolved ${FROM_LINKS}), (SELECT broken ${FROM_LINKS})${columns}
    FROM {db}.nodes n ${joins} WHERE {visible:n.id}`;
}

const FILES: SqlTable = {
  name: 'files',
  row: 'file or link of an indexed disk',
  columns: {
    ...COMMON,
    ext: { type: 'text', meaning: 'extension in lower case, without the dot; so for libz.so.1' },
    kind: {
      type: 'text',
      values: KIND_NAMES.filter((kind) => kind !== 'dir'),
      meaning: 'a symlink has a size and time of its own, not those of its target',
    },
    size: {
      type: 'integer',
      meaning: 'bytes of content; of a file with several names only the first has it',
    },
    disk_size: { type: 'integer', meaning: 'bytes on the disk; the same rule', rare: true },
    ...FACTS,
    ...VCS_COLUMN,
    mode: { type: 'text', meaning: "permissions in octal, as text: '644', '4755' with setuid" },
    executable: { type: 'integer', meaning: '1: a file that somebody may run', rare: true },
    links: { type: 'integer', meaning: 'names of the file (hard links)' },
    inode: { type: 'integer', meaning: 'the same for all names of a file (the low 32 bits)', rare: true },
    target: { type: 'text', meaning: 'what a symbolic link says' },
    resolved: { type: 'text', meaning: 'the target as an absolute path', rare: true },
    broken: { type: 'integer', meaning: '1: a symbolic link to nothing' },
  },
  select: selectFiles((value) => value, {
    columns: '',
    joins: 'LEFT JOIN {db}.dirs d ON d.id = n.parent',
  }),
};

const FOLDERS: SqlTable = {
  name: 'folders',
  row: 'folder of an indexed disk',
  columns: {
    ...COMMON,
    size: { type: 'integer', meaning: 'bytes of everything below' },
    disk_size: { type: 'integer', meaning: 'bytes on the disk of everything below', rare: true },
    ...FACTS,
    vcs: { ...VCS_COLUMN.vcs, rare: true },
    newest: { type: 'time', meaning: 'latest modification below', rare: true },
    entries: { type: 'integer', meaning: 'files and folders directly in it' },
    files: { type: 'integer', meaning: 'files and links below, at any depth' },
    folders: { type: 'integer', meaning: 'folders below, at any depth' },
  },
  select: `SELECT n.path, n.name, (SELECT path FROM {db}.dirs d WHERE d.id = n.parent), ${ROOT}, n.size, n.disk_size, n.modified,
    {owner:n.owner}, n.depth, n.vcs, n.newest, n.entries, n.files, n.folders FROM {db}.dirs n WHERE {visible:n.id}`,
};

const GREW: SqlTable = {
  name: 'grew',
  row: 'folder that changed between two scans; the last scans that `index` was asked for, and earlier ones',
  columns: {
    path: { type: 'text', meaning: 'absolute path' },
    before: { type: 'integer', meaning: 'bytes with everything below, at the earlier scan', rare: true },
    now: { type: 'integer', meaning: 'the same at the later scan', rare: true },
    delta: { type: 'integer', meaning: 'bytes more in the folder itself, so that rows add up' },
    added: { type: 'integer', meaning: 'new files in it', rare: true },
    removed: { type: 'integer', meaning: 'files that are gone from it', rare: true },
    modified: { type: 'integer', meaning: 'changed files in it; only since the last `index`', rare: true },
    since: { type: 'time', meaning: 'earlier scan', rare: true },
    until: { type: 'time', meaning: 'later scan', rare: true },
  },
  select: `SELECT path, before, now, delta, added, removed, modified, since, until FROM {db}.growth n
    WHERE {visible:n.node}`,
};

/** Found when a statement asks for them, in the folders that it names. */
const DUPLICATES: SqlTable = {
  name: 'duplicates',
  row: 'path of a file whose content other files in the folders that the statement names have too; hard links are one file, and files without content are left out',
  columns: {
    hash: { type: 'text', meaning: 'the same for equal files' },
    path: { type: 'text', meaning: 'absolute path' },
    size: { type: 'integer', meaning: 'bytes of this copy' },
    vcs: { ...VCS_COLUMN.vcs, rare: true },
    copies: {
      type: 'integer',
      meaning: 'equal files, with this one; the same in each row of a group',
      rare: true,
    },
    wasted: {
      type: 'integer',
      meaning: 'bytes of all copies but one; the same in each row of a group, so group by hash',
    },
  },
  select: 'SELECT hash, path, size, vcs, copies, size * (copies - 1) FROM {db}.duplicate_rows',
};

export const DISK_TABLES: readonly SqlTable[] = [FILES, FOLDERS, DUPLICATES, GREW];

/** Whether a query that reads these columns of `files` needs the folder of each file. */
export function needsFolders(columns: readonly string[]): boolean {
  return columns.some((column) => column === 'path' || column === 'folder' || column === 'vcs');
}

/**
 * The table `files` for queries that seldom need the folder of a file, under some name and with more columns: for each
 * of them, the table with its values by folder.
 */
export function filesApart(name: string, more: Readonly<Record<string, string>>): SqlTable {
  const tables = Object.entries(more).map(([column, table], i) => ({ column, table, short: `m${i}` }));
  const column = { type: 'text', meaning: 'depends on the folder' } as const;
  return {
    ...FILES,
    name,
    columns: { ...FILES.columns, ...Object.fromEntries(tables.map((each) => [each.column, column])) },
    select: selectFiles((value) => `(SELECT ${value} FROM {db}.dirs d WHERE d.id = n.parent)`, {
      columns: tables.map(({ short }) => `, ${short}.name`).join(''),
      joins: tables
        .map(({ table, short }) => `LEFT JOIN {db}.${table} ${short} ON ${short}.id = n.parent`)
        .join(' '),
    }),
  };
}
