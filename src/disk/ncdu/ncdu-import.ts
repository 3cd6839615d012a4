import { z } from 'zod';
import { fail } from '../../contract/errors.ts';
import { EntryBatch } from '../scan/entry-batch.ts';
import { detailsOf } from '../scan/file-facts.ts';
import { FLAG, KIND } from '../scan/node-kinds.ts';
import { ScanStage } from '../scan/scan-stage.ts';
import { EARLIER, HEAD_BYTES, makeRef } from '../scan/scanner-frames.ts';
import { capped } from '../sizes.ts';
import { buildTree } from '../tree/build-tree.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { FORMAT_MAJOR } from './ncdu-export.ts';

const bytes = z.number().min(0).default(0).transform(capped);

const factsSchema = z.object({
  name: z.string().min(1),
  asize: bytes,
  dsize: bytes,
  /** Only if it differs from that of the containing folder. */
  dev: z.number().optional(),
  ino: z.number().optional(),
  nlink: z.int().optional(),
  hlnkc: z.boolean().optional(),
  read_error: z.boolean().optional(),
  excluded: z.string().optional(),
  notreg: z.boolean().optional(),
  /** Version 2 has fractions of seconds. */
  mtime: z.number().default(0),
  uid: z.int().min(0).default(0),
  mode: z.int().optional(),
});
type Facts = z.output<typeof factsSchema>;

interface Folder {
  readonly ref: number;
  readonly facts: Facts;
  readonly dev: number;
  readonly children: readonly unknown[];
}

/** The latest time that a Date can represent, in seconds. */
const LAST_SECOND = 8.64e12;
const OTHER_FILE_SYSTEM_MARKS = new Set(['otherfs', 'othfs', 'kernfs']);
const TYPE_MASK = 0o170000;
const TYPE_LINK = 0o120000;

/**
 * Makes a tree from an export of ncdu 1 or 2. What the export does not contain (owners, change times) stays empty; an
 * export without a time counts as made at `now`.
 */
export function importNcdu(text: string, firstId: number, now: number): Tree {
  const { about, top } = parseExport(text);
  const scannedAt = isMoment(about?.timestamp) ? about.timestamp * 1000 : now;
  const batch = new EntryBatch();
  const [first, ...children] = top;
  const root = parsed(first);
  const waiting: Folder[] = [{ ref: makeRef(EARLIER, 0), facts: root, dev: root.dev ?? 0, children }];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop())
    addFolder(batch, folder, waiting);
  const stage = new ScanStage();
  const frame = batch.take(0);
  if (frame !== undefined) stage.add(frame.subarray(HEAD_BYTES));
  const own = {
    ...{ kind: KIND.dir, size: root.asize, blocks: root.dsize / 512, mtime: keptTime(root.mtime) },
    details: detailsOf(root.mode, 0),
  };
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
    swept: new Map([[0, { ...own, owner: root.uid, ino: 0, ctime: 0 }]]),
    startedAt: scannedAt,
    verifiedAt: scannedAt,
    firstId,
  });
}

function parseExport(text: string) {
  let value: unknown;
  try {
    // Some editors add a byte order mark.
    value = JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
  } catch {
    fail('invalid_parameter', 'This is not valid JSON, or it is incomplete. Export with: ncdu -o FILE');
  }
  if (!Array.isArray(value) || value[0] !== FORMAT_MAJOR || !Array.isArray(value[3])) {
    fail('invalid_parameter', 'This is not an ncdu export of format 1. Export with: ncdu -o FILE');
  }
  const top: readonly unknown[] = value[3];
  return { about: z.object({ timestamp: z.number() }).safeParse(value[2]).data, top };
}

/** Adds the children of a folder, files first, as in a listing; its sub-folders are added to `waiting`. */
function addFolder(batch: EntryBatch, { ref, facts, dev, children }: Folder, waiting: Folder[]): void {
  const files: Facts[] = [];
  const dirs: { facts: Facts; rest: readonly unknown[] }[] = [];
  for (const child of children) {
    if (Array.isArray(child)) dirs.push({ facts: entry(child[0]), rest: child.slice(1) });
    else files.push(entry(child));
  }
  for (const file of files) add(batch, file, dev, kindOf(file));
  batch.name(files.map(({ name }) => name));
  for (const { facts, rest } of dirs) {
    add(batch, facts, dev, KIND.dir);
    const below = makeRef(0, batch.dirTime(0));
    waiting.push({ ref: below, facts, dev: facts.dev ?? dev, children: rest });
  }
  batch.name(dirs.map(({ facts }) => facts.name));
  const unread = files.filter((file) => file.read_error === true).length;
  batch.listing(ref, files.length, dirs.length, unread + (facts.read_error === true ? 1 : 0));
}

function kindOf({ notreg, mode = 0 }: Facts): number {
  if ((mode & TYPE_MASK) === TYPE_LINK) return KIND.symlink;
  return notreg === true ? KIND.other : KIND.file;
}

function add(batch: EntryBatch, facts: Facts, around: number, kind: number): void {
  const { ino = 0, nlink, hlnkc, excluded } = facts;
  const linked = kind === KIND.file && ino > 0 && (hlnkc === true || (nlink ?? 1) > 1);
  const flags =
    (linked ? FLAG.linked : 0) |
    (facts.read_error === true ? FLAG.error : 0) |
    (excluded === undefined
      ? 0
      : OTHER_FILE_SYSTEM_MARKS.has(excluded)
        ? FLAG.otherFileSystem
        : FLAG.excluded);
  const mtime = keptTime(facts.mtime);
  batch.add({
    ...{ kind: kind | flags, size: facts.asize, blocks: facts.dsize / 512, mtime },
    ...{ details: detailsOf(facts.mode, 0), owner: facts.uid, ino: ino % 2 ** 32 },
  });
  // An inode number identifies a file only within one device.
  if (linked) batch.link(facts.dev ?? around, ino, nlink ?? 2);
}

/** A time as the index stores it. */
function keptTime(seconds: number): number {
  return Math.min(0xffffffff, Math.max(0, Math.floor(seconds)));
}

function isMoment(seconds: number | undefined): seconds is number {
  return seconds !== undefined && seconds > 0 && seconds <= LAST_SECOND;
}

/** The facts about an entry of a folder. */
function entry(value: unknown): Facts {
  const facts = parsed(value);
  if (facts.name.includes('/') || facts.name === '.' || facts.name === '..')
    fail('invalid_parameter', 'This ncdu export has an entry with an invalid file name.');
  return facts;
}

function parsed(value: unknown): Facts {
  const result = factsSchema.safeParse(value);
  if (result.success) return result.data;
  return fail('invalid_parameter', 'This ncdu export has an entry without a name or with invalid numbers.');
}
