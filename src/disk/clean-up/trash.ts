import { closeSync, mkdirSync } from 'node:fs';
import { link, lstat, mkdir, realpath, rename, unlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { systemCode } from '../../contract/errors.ts';
import { NotOpened, type OpenFolder, openFolder } from '../../contract/open-file.ts';
import { isInside } from '../../contract/roots.ts';
import type { PlanItem } from './clean-up-plan.ts';
import { digestFolder, folderDifference } from './folder-digest.ts';
import type { OwnMoves } from './own-moves.ts';
import { type TrashFolders, trashLayout } from './trash-layout.ts';
import { trashOwner } from './trash-owner.ts';

/** The trash of a file system. */
export type Trash = TrashFolders;

const layout = trashLayout(process.platform);

export type Identity = Pick<PlanItem, 'dev' | 'ino'>;
/** Tells it apart from another file that has the number by now. */
export type Trashed = Identity & Pick<PlanItem, 'mtime_ns'>;

export class NotMoved extends Error {
  override readonly name = 'NotMoved';
}

/** The trash on the same file system as a path: the user's own, or one at the top of that file system. */
export async function trashFor(
  path: string,
  dev: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Trash> {
  const home = layout.own(homedir(), env);
  const ready = home && (await prepared(home, dev));
  if (ready !== undefined) return ready;
  let top = dirname(path);
  while (top !== dirname(top) && String((await lstat(dirname(top), { bigint: true })).dev) === dev)
    top = dirname(top);
  const shared = layout.atTop(top, await trashOwner());
  const own = (await isOurs(dirname(shared.info))) ? await prepared(shared, dev) : undefined;
  return own ?? refuse('there is no trash on this file system');
}

/** Where others may write, a trash that is a link or belongs to another user would give files away. */
async function isOurs(folder: string): Promise<boolean> {
  const stats = await lstat(folder).catch(() => undefined);
  return (
    stats === undefined ||
    (stats.isDirectory() && (stats.uid === process.getuid?.() || process.platform === 'win32'))
  );
}

async function prepared(trash: Trash, dev: string): Promise<Trash | undefined> {
  try {
    await mkdir(trash.files, { recursive: true, mode: 0o700 });
    await mkdir(trash.info, { recursive: true, mode: 0o700 });
    const stats = await lstat(trash.files, { bigint: true });
    return stats.isDirectory() && String(stats.dev) === dev ? trash : undefined;
  } catch {
    return undefined;
  }
}

/** Checks that a path is still exactly what was planned, and that it is inside the roots. */
export async function stillPlanned(
  item: PlanItem,
  roots: readonly string[],
  own: OwnMoves,
  signal: AbortSignal,
): Promise<void> {
  const folder = await realpath(dirname(item.path)).catch(() => refuse('its folder no longer exists'));
  if (folder !== dirname(item.path)) refuse('a folder in its path became a link');
  if (!roots.some((root) => item.path !== root && isInside(item.path, root)))
    refuse('it is outside the allowed folders');
  const now = await lstat(item.path, { bigint: true }).catch(() => refuse('it no longer exists'));
  const same =
    String(now.dev) === item.dev &&
    String(now.ino) === item.ino &&
    String(now.mtimeNs) === item.mtime_ns &&
    (String(now.ctimeNs) === item.ctime_ns || own.explain(item));
  if (!same) refuse('it has changed since the plan was made');
  const difference = item.below && folderDifference(item.below, await digestFolder(item.path, signal, own));
  if (difference !== undefined) refuse(`its content has changed since the plan was made: ${difference}`);
}

/** Moves an item to the trash and returns where it is now. */
export async function moveToTrash(
  item: PlanItem,
  trash: Trash,
  now: number,
  begin: (trashed: string) => Promise<void>,
): Promise<string> {
  const { name, info } = await claimName(item, trash, now);
  const trashed = join(trash.files, name);
  try {
    await begin(trashed);
    await rename(item.path, trashed);
  } catch (error) {
    await unlink(info);
    return refuse(
      systemCode(error) === 'EXDEV'
        ? 'it is on another file system'
        : `it cannot be moved (${systemCode(error)})`,
    );
  }
  // Checked once more after the move: a file that took its place at the last moment goes back.
  if (await isSame(trashed, item)) return trashed;
  await putBack(trashed, item.path).catch(() =>
    refuse(`it was replaced while being moved; the replacement is now at ${trashed}`),
  );
  await unlink(info);
  return refuse('it was replaced while being moved');
}

/**
 * Moves an item from the trash back to its place and never overwrites anything there. It also completes what a crash
 * interrupted: an item that never left its place, or that is in its place and still in the trash.
 */
export async function restore(original: string, trashed: string, identity: Trashed): Promise<void> {
  const inPlace = await isSame(original, identity);
  const inTrash = await isSame(trashed, identity);
  if (!inPlace && !inTrash) refuse('it is no longer in the trash');
  if (!inPlace) {
    const { mtimeNs } = await lstat(trashed, { bigint: true });
    if (String(mtimeNs) !== identity.mtime_ns) refuse('what is in the trash has changed since');
    await putBack(trashed, original);
  } else if (inTrash) await unlink(trashed);
  await unlink(layout.recordOf(trashed)).catch(() => undefined);
}

/** Moves an item to its place if nothing is there. */
async function putBack(trashed: string, original: string): Promise<void> {
  const folder = openPlace(dirname(original));
  try {
    const place = join(folder.path, basename(original));
    const stats = await lstat(trashed);
    if (stats.isDirectory()) {
      // Anything that appears between the check and the move stays: a rename replaces only an empty folder.
      if ((await lstat(place).catch(() => undefined)) !== undefined) refuse('something else is there now');
      await rename(trashed, place).catch(() => refuse('something else is there now'));
    } else {
      await link(trashed, place).catch(() => refuse('something else is there now'));
      await unlink(trashed);
    }
  } finally {
    closeSync(folder.fd);
  }
}

/** The folder that an item goes back to, made again if it is gone. No part of its path may have become a link. */
function openPlace(path: string): OpenFolder {
  try {
    return openFolder(path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT' || dirname(path) === path) return refuseFolder(error);
  }
  const above = openPlace(dirname(path));
  try {
    mkdirSync(join(above.path, basename(path)));
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  } finally {
    closeSync(above.fd);
  }
  try {
    return openFolder(path);
  } catch (error) {
    return refuseFolder(error);
  }
}

function refuseFolder(error: unknown): never {
  const isLink = error instanceof NotOpened || ['ELOOP', 'ENOTDIR'].includes(systemCode(error) ?? '');
  if (isLink) refuse('a folder in its path became a link');
  throw error;
}

/** Reserves a name in the trash by creating its info file before the move, as the specification requires. */
async function claimName(
  { path, size }: PlanItem,
  trash: Trash,
  now: number,
): Promise<{ name: string; info: string }> {
  const text = layout.record({ path, size }, now);
  for (let attempt = 0; attempt < 10_000; attempt++) {
    const { file: name, record } = layout.names(path, attempt);
    const info = join(trash.info, record);
    const taken = await lstat(join(trash.files, name)).then(
      () => true,
      () => false,
    );
    if (taken) continue;
    try {
      await writeFile(info, text, { flag: 'wx', mode: 0o600 });
      return { name, info };
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') refuse(`the trash cannot be written to (${systemCode(error)})`);
    }
  }
  return refuse('there is no free name in the trash');
}

async function isSame(path: string, { dev, ino }: Identity): Promise<boolean> {
  const stats = await lstat(path, { bigint: true }).catch(() => undefined);
  return stats !== undefined && String(stats.dev) === dev && String(stats.ino) === ino;
}

function refuse(reason: string): never {
  throw new NotMoved(reason);
}
