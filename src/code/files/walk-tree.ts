import { type Dirent, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { listFolder } from '../../contract/open-file.ts';
import { isInside } from '../../contract/roots.ts';
import { enterFolder, type FolderRules, gitFolder, judge, rulesAt } from './ignore-rules.ts';
import { folderId } from './outside-state.ts';
import type { SkipReason, SourceFile } from './source-tree.ts';

/** A folder that a walk has entered. */
export interface WalkedFolder {
  /** Relative to the root, '' for the root itself. */
  readonly path: string;
  /** Differs when another folder takes its place. */
  readonly id: string;
  /** The top of a repository or worktree. */
  readonly repository: boolean;
}

/** What a walk reports, as it finds it. Folders come before what is in them. */
export interface WalkVisitor {
  file(file: SourceFile): void;
  /** Called before the folder's ignore files are read. */
  folder(folder: WalkedFolder): void;
  skipped(path: string, reason: SkipReason): void;
}

interface Place {
  readonly absolute: string;
  /** Relative to the root, '' at the root. */
  readonly path: string;
  readonly rules: FolderRules | undefined;
  readonly hidden: boolean;
}

/**
 * Walks everything under `root` that no ignore rule hides, folder by folder. Links are not followed; `.git` is
 * never entered; a linked worktree of a repository that is walked, too, is left out, since it holds the same files
 * again.
 */
export function walk(root: string, visitor: WalkVisitor): void {
  walkFrom({ absolute: root, path: '', rules: parentRules(root), hidden: false }, visitor);
}

/**
 * Walks single entries (files or folders) below the root that may be new; nothing is reported for those that a rule
 * hides. Rules are read once a folder: a walker serves one batch of news, then a new one is needed.
 */
export function entryWalker(root: string): (path: string, visitor: WalkVisitor) => void {
  const places = new Map<string, Place | undefined>();
  const placeOf = (folder: string): Place | undefined => {
    if (places.has(folder)) return places.get(folder);
    const place = folder === '' ? topPlace(root) : folderPlace(placeOf(parentOf(folder)), nameOf(folder));
    places.set(folder, place);
    return place;
  };
  return (path, visitor) => {
    const parent = placeOf(parentOf(path));
    if (parent === undefined) return;
    const entry = look(join(parent.absolute, nameOf(path)));
    if (entry === undefined) return;
    const place = admit(parent, nameOf(path), entry.isDirectory());
    if (place === undefined) return;
    if (entry.isFile()) visitFile(place, visitor);
    else if (entry.isDirectory()) walkFrom(place, visitor);
  };
}

function topPlace(root: string): Place {
  return { absolute: root, path: '', rules: rulesAt(root), hidden: false };
}

/** A folder with its own rules read, or undefined where it is hidden or gone. */
function folderPlace(parent: Place | undefined, name: string): Place | undefined {
  if (parent === undefined) return undefined;
  const place = admit(parent, name, true);
  if (place === undefined || look(place.absolute)?.isDirectory() !== true) return undefined;
  const has = (file: string) => look(join(place.absolute, file)) !== undefined;
  return { ...place, rules: enterFolder(place.absolute, parent.rules, has) };
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function walkFrom(start: Place, visitor: WalkVisitor): void {
  const pending = [start];
  const root = start.path === '' ? start.absolute : start.absolute.slice(0, -start.path.length - 1);
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const found = look(place.absolute);
    const entries = list(place, visitor);
    if (entries === undefined || found === undefined) continue;
    const names = new Set<string>();
    for (const entry of entries) if (entry.name.startsWith('.')) names.add(entry.name);
    if (place.path !== '' && names.has('.git') && isWorktreeOfSeen(place.absolute, root)) {
      visitor.skipped(place.path, 'worktree');
      continue;
    }
    visitor.folder({ path: place.path, id: folderId(found), repository: names.has('.git') });
    const rules = enterFolder(place.absolute, place.rules, (name) => names.has(name));
    const here: Place = { ...place, rules };
    for (const entry of entries) {
      if (!entry.isFile() && !entry.isDirectory()) continue;
      const next = admit(here, entry.name, entry.isDirectory());
      if (next === undefined) continue;
      if (entry.isDirectory()) pending.push(next);
      else visitFile(next, visitor);
    }
  }
}

/** The entry as a place to go on from, or undefined where a rule hides it. */
function admit(place: Place, name: string, isFolder: boolean): Place | undefined {
  if (name === '.git') return undefined;
  const absolute = place.absolute.endsWith('/') ? place.absolute + name : `${place.absolute}/${name}`;
  const verdict = place.rules === undefined ? undefined : judge(place.rules, absolute, name, isFolder);
  if (verdict === 'ignore') return undefined;
  return {
    absolute,
    path: place.path === '' ? name : `${place.path}/${name}`,
    rules: place.rules,
    hidden: place.hidden || (name.startsWith('.') && verdict !== 'keep'),
  };
}

function visitFile(place: Place, visitor: WalkVisitor): void {
  const found = look(place.absolute);
  if (found === undefined || !found.isFile()) return;
  const { size, mtimeMs, ctimeMs, ino } = found;
  visitor.file({ path: place.path, size, mtimeMs, ctimeMs, ino, hidden: place.hidden });
}

function list(place: Place, visitor: WalkVisitor): Dirent[] | undefined {
  try {
    return listFolder(place.absolute);
  } catch {
    visitor.skipped(place.path, 'unreadable');
    return undefined;
  }
}

function look(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function parentRules(root: string): FolderRules | undefined {
  const above = join(root, '..');
  return above === root ? undefined : rulesAt(above);
}

/** `.git` is a file that points into the `worktrees` of a repository below the root: one elsewhere is not seen. */
function isWorktreeOfSeen(folder: string, root: string): boolean {
  const main = /^(.*)[\\/]\.git(?:[\\/]modules[\\/].*)?[\\/]worktrees[\\/][^\\/]+[\\/]?$/.exec(
    gitFolder(folder),
  )?.[1];
  return main !== undefined && isInside(main, root) && look(main) !== undefined;
}
