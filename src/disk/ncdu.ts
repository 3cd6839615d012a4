import { z } from 'zod';
import { fail } from '../contract/errors.ts';
import { Batch } from './scan/batch.ts';
import { FLAG, isDir, KIND } from './scan/kinds.ts';
import { Stage } from './scan/stage.ts';
import { EARLIER, HEAD_BYTES, makeRef } from './scan/wire.ts';
import { buildTree } from './tree/build.ts';
import { diskOf, nameOf } from './tree/nodes.ts';
import type { Tree } from './tree/tree.ts';

/* The export format of ncdu 1: [major, minor, about, folder], a folder being [facts, child, child, …]. */

const FORMAT_MAJOR = 1;
const FORMAT_MINOR = 2;
const PIECE = 64 << 10;

/** Writes a tree in ncdu's format, piece by piece. */
export function* exportNcdu(tree: Tree, version: string): Generator<string> {
  const about = { progname: 'pinhole', progver: version, timestamp: Math.floor(tree.meta.scannedAt / 1000) };
  let text = `[${FORMAT_MAJOR},${FORMAT_MINOR},${JSON.stringify(about)}`;
  const links = new Map(Array.from(tree.linkRow, (row, i) => [row, i]));
  // Folders are open from their own row to their last one.
  const open: number[] = [];
  for (let folder = 0; folder < tree.dirRow.length; folder++) {
    const row = tree.dirRow[folder] ?? 0;
    while (open.length > 0 && (tree.dirLast[open.at(-1) ?? 0] ?? 0) < row) {
      open.pop();
      text += ']';
    }
    open.push(folder);
    text += `,\n[${JSON.stringify(facts(tree, row, links))}`;
    const files = tree.dirFiles[folder] ?? 0;
    for (let file = row + 1; file <= row + files; file++) {
      text += `,\n${JSON.stringify(facts(tree, file, links))}`;
      if (text.length > PIECE) {
        yield text;
        text = '';
      }
    }
  }
  yield `${text}${']'.repeat(open.length)}]\n`;
}

function facts(tree: Tree, row: number, links: ReadonlyMap<number, number>) {
  const kind = tree.kind[row] ?? 0;
  const link = links.get(row);
  const size = tree.size[row] ?? 0;
  const disk = diskOf(tree, row);
  return {
    name: row === 0 ? tree.meta.root : nameOf(tree, row),
    ...(size > 0 ? { asize: size } : {}),
    ...(disk > 0 ? { dsize: disk } : {}),
    ...(link === undefined ? {} : { ino: tree.linkKey[link], hlnkc: true, nlink: tree.linkCount[link] }),
    ...((kind & FLAG.error) === 0 ? {} : { read_error: true }),
    ...((kind & FLAG.otherFileSystem) === 0 ? {} : { excluded: 'otherfs' }),
    ...((kind & FLAG.excluded) === 0 ? {} : { excluded: 'pattern' }),
    ...(isDir(kind) || (kind & 3) === KIND.file ? {} : { notreg: true }),
    mtime: tree.mtime[row] ?? 0,
  };
}

const factsSchema = z.object({
  name: z.string(),
  asize: z.number().min(0).default(0),
  dsize: z.number().min(0).default(0),
  ino: z.number().optional(),
  nlink: z.int().optional(),
  hlnkc: z.boolean().optional(),
  read_error: z.boolean().optional(),
  excluded: z.string().optional(),
  notreg: z.boolean().optional(),
  mtime: z.number().min(0).default(0),
  uid: z.int().min(0).default(0),
});
type Facts = z.output<typeof factsSchema>;

/** Makes a tree from an ncdu export. What the export does not tell (owners, change times) is left empty. */
export function importNcdu(text: string, firstId: number): Tree {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    fail('invalid_parameter', 'This is not JSON; export with: ncdu -o FILE');
  }
  if (!Array.isArray(value) || value[0] !== FORMAT_MAJOR || !Array.isArray(value[3])) {
    fail('invalid_parameter', 'This is not an ncdu export of format 1; export with: ncdu -o FILE');
  }
  const about = z.object({ timestamp: z.number().optional() }).safeParse(value[2]);
  const scannedAt = (about.data?.timestamp ?? 0) * 1000;
  const batch = new Batch();
  const [top, ...below] = value[3];
  const root = parsed(top);
  const waiting: { ref: number; children: unknown[] }[] = [{ ref: makeRef(EARLIER, 0), children: below }];
  for (let dir = waiting.pop(); dir !== undefined; dir = waiting.pop())
    waiting.push(...addFolder(batch, dir));
  const stage = new Stage();
  const frame = batch.take(0);
  if (frame !== undefined) stage.add(frame.subarray(HEAD_BYTES));
  const own = { kind: KIND.dir, size: root.asize, blocks: root.dsize / 512, mtime: root.mtime };
  return buildTree({
    root: root.name,
    options: {
      followSymlinks: false,
      oneFileSystem: true,
      depthLimit: undefined,
      exclude: [],
      imported: true,
    },
    stages: [stage],
    report: { errors: {}, samples: [] },
    earlier: undefined,
    swept: new Map([[0, { ...own, owner: 0, ino: 0, ctime: 0 }]]),
    startedAt: scannedAt,
    verifiedAt: scannedAt,
    firstId,
  });
}

/** Adds the children of a folder: files first, as a listing has them; returns its sub-folders. */
function addFolder(batch: Batch, { ref, children }: { ref: number; children: unknown[] }) {
  const files = children.filter((child) => !Array.isArray(child)).map(parsed);
  const dirs = children
    .filter((child) => Array.isArray(child))
    .map(([top, ...rest]) => ({ facts: parsed(top), rest }));
  for (const file of files) add(batch, file, file.notreg === true ? KIND.other : KIND.file);
  batch.name(files.map(({ name }) => name));
  const below = dirs.map(({ facts, rest }) => {
    add(batch, facts, KIND.dir);
    return { ref: makeRef(0, batch.dirTime(0)), children: rest };
  });
  batch.name(dirs.map(({ facts }) => facts.name));
  batch.listing(ref, files.length, dirs.length, 0);
  return below;
}

function add(batch: Batch, facts: Facts, kind: number): void {
  const linked =
    kind === KIND.file && facts.ino !== undefined && (facts.hlnkc === true || (facts.nlink ?? 1) > 1);
  const flags =
    (linked ? FLAG.linked : 0) |
    (facts.read_error === true ? FLAG.error : 0) |
    (facts.excluded === undefined ? 0 : facts.excluded === 'otherfs' ? FLAG.otherFileSystem : FLAG.excluded);
  const ino = facts.ino ?? 0;
  batch.add(kind | flags, facts.asize, facts.dsize / 512, facts.mtime, facts.uid, ino % 2 ** 32);
  if (linked) batch.link(0, ino, facts.nlink ?? 2);
}

function parsed(value: unknown): Facts {
  const result = factsSchema.safeParse(value);
  if (result.success) return result.data;
  return fail('invalid_parameter', 'This ncdu export has an entry without a name or with wrong numbers.');
}
