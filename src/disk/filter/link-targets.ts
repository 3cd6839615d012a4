import { closeSync } from 'node:fs';
import { readlink, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { uint8At, uint32At } from '../../contract/at.ts';
import { systemCode } from '../../contract/errors.ts';
import { type OpenFolder, openFolder } from '../../contract/open-file.ts';
import { KIND, KIND_MASK } from '../scan/node-kinds.ts';
import { systemPath } from '../scan/raw-text.ts';
import { folderPaths } from '../tree/folder-paths.ts';
import type { Span } from '../tree/row-spans.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { rawNameOf } from '../tree/tree-nodes.ts';
import type { TextTest } from './filter-schema.ts';
import { matcherOf } from './text-marks.ts';

/** Where a link leads. Its target is looked up, never opened. */
export interface LinkTarget {
  readonly target: string;
  /** True if the target does not exist. */
  readonly broken: boolean;
}

const FOLDERS_AT_ONCE = 16;
const LEADS_NOWHERE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);

/** True if following the link at a path leads nowhere. */
export async function isBroken(path: string | Buffer): Promise<boolean> {
  return stat(path).then(
    () => false,
    (error: unknown) => LEADS_NOWHERE.has(systemCode(error) ?? ''),
  );
}

/** The links among some rows, with their targets; links that can no longer be read are left out. */
export async function linkTargets(
  tree: Tree,
  rows: Iterable<number>,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, LinkTarget>> {
  const byFolder = new Map<number, number[]>();
  for (const row of rows) {
    if ((uint8At(tree.kind, row) & KIND_MASK) !== KIND.symlink) continue;
    const folder = uint32At(tree.parent, row);
    const known = byFolder.get(folder);
    if (known === undefined) byFolder.set(folder, [row]);
    else known.push(row);
  }
  const found = new Map<number, LinkTarget>();
  const paths = folderPaths(tree);
  // In order, because the path of a folder is made from the one before.
  const waiting = [...byFolder]
    .sort(([a], [b]) => a - b)
    .map(([folder, links]) => ({ path: paths(folder), links }));
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      signal.throwIfAborted();
      await readLinks(tree, next.path, next.links, found);
    }
  };
  await Promise.all(Array.from({ length: FOLDERS_AT_ONCE }, work));
  return found;
}

/** Reads links through their open folder, so that no swapped link on the way there can redirect it. */
async function readLinks(
  tree: Tree,
  folder: string,
  links: readonly number[],
  found: Map<number, LinkTarget>,
): Promise<void> {
  if (!folder.isWellFormed()) return;
  let open: OpenFolder;
  try {
    open = openFolder(folder);
  } catch {
    return;
  }
  try {
    for (const row of links) {
      const path = systemPath(`${open.path}/${rawNameOf(tree, row)}`);
      const target = await readlink(path).catch(() => undefined);
      if (target !== undefined) found.set(row, { target, broken: await isBroken(path) });
    }
  } finally {
    closeSync(open.fd);
  }
}

/** Marks the links of a span that are broken, or whose target passes a test: as written, or as a full path. */
export async function linkMarks(
  tree: Tree,
  span: Span,
  test: 'broken' | TextTest,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const marks = new Uint8Array(tree.meta.nodes);
  const targets = await linkTargets(tree, rowsOfSpan(span), signal);
  const matcher = test === 'broken' ? undefined : matcherOf(test);
  const paths = folderPaths(tree);
  const fits = (text: string) => {
    const bytes = Buffer.from(text);
    return matcher?.test(bytes, 0, bytes.length) ?? false;
  };
  for (const [row, { target, broken }] of targets) {
    const full = () => resolve(paths(uint32At(tree.parent, row)), target);
    const passes = matcher === undefined ? broken : fits(target) || fits(full());
    if (passes) marks[row] = 1;
  }
  return marks;
}

function* rowsOfSpan({ from, to }: Span): Generator<number> {
  for (let row = from; row <= to; row++) yield row;
}
