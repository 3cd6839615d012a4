import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { pathOnDisk } from '../../contract/file-name.ts';
import { type FolderEntry, listFolder } from '../../contract/open-file.ts';
import { isInside } from '../../contract/roots.ts';
import { enterFolder, type FolderRules, gitFolder, judge, rulesAt } from './ignore-rules.ts';
import { folderId } from './outside-state.ts';
import { comparePaths } from './path-order.ts';
import type { SourceFile } from './source-tree.ts';

/** A folder that a walk has entered. */
export interface WalkedFolder {
  /** Relative to the root, '' for the root itself. */
  readonly path: string;
  /** Differs when another folder takes its place. */
  readonly id: string;
  /** The top of a repository or worktree. */
  readonly repository: boolean;
}

/** Called by a walk for everything it finds. Folders come before their content. */
export interface WalkVisitor {
  file(file: SourceFile): void;
  /** Called before the folder's ignore files are read. */
  folder(folder: WalkedFolder): void;
  unreadable(path: string): void;
  /** A linked worktree of a repository below the root; its files are linked. */
  worktree(path: string): void;
}

/** A file or folder that a walk has come to, with the rules that hold there. */
interface WalkPoint {
  readonly absolute: string;
  /** Relative to the root, '' at the root. */
  readonly path: string;
  readonly rules: FolderRules | undefined;
  readonly hidden: boolean;
  readonly linked: boolean;
}

/**
 * Walks everything under `root` that no ignore rule hides, in path order. Links are not followed and `.git` is
 * never entered.
 */
export function walk(root: string, visitor: WalkVisitor): void {
  walkFrom({ absolute: root, path: '', rules: parentRules(root), hidden: false, linked: false }, visitor);
}

/**
 * Walks single files or folders below the root that may be new; those that a rule hides are not reported. The rules of
 * each folder are read once, so every batch of changes needs a new walker.
 */
export function entryWalker(root: string): (path: string, visitor: WalkVisitor) => void {
  const points = new Map<string, WalkPoint | undefined>();
  const pointOf = (folder: string): WalkPoint | undefined => {
    if (points.has(folder)) return points.get(folder);
    const point =
      folder === '' ? rootPoint(root) : folderPoint(pointOf(parentOf(folder)), nameOf(folder), root);
    points.set(folder, point);
    return point;
  };
  return (path, visitor) => {
    const parent = pointOf(parentOf(path));
    if (parent === undefined) return;
    const entry = statOf(join(parent.absolute, nameOf(path)));
    if (entry === undefined) return mayBeUnnameable(path, visitor);
    const point = admit(parent, nameOf(path), entry.isDirectory());
    if (point === undefined) return;
    if (entry.isFile()) visitFile(point, visitor);
    else if (entry.isDirectory()) walkFrom(point, visitor);
  };
}

function rootPoint(root: string): WalkPoint {
  return { absolute: root, path: '', rules: rulesAt(root), hidden: false, linked: false };
}

/** The point of a folder with its own rules, or undefined if it is hidden or gone. */
function folderPoint(parent: WalkPoint | undefined, name: string, root: string): WalkPoint | undefined {
  if (parent === undefined) return undefined;
  const point = admit(parent, name, true);
  if (point === undefined || statOf(point.absolute)?.isDirectory() !== true) return undefined;
  const has = (file: string) => statOf(join(point.absolute, file)) !== undefined;
  const linked = point.linked || (has('.git') && isWorktreeBelow(point.absolute, root));
  return { ...point, rules: enterFolder(point.absolute, parent.rules, has), linked };
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function walkFrom(start: WalkPoint, visitor: WalkVisitor): void {
  const root = start.path === '' ? start.absolute : start.absolute.slice(0, -start.path.length - 1);
  /** Next one last. */
  const pending: Found[] = [{ point: start, isFolder: true }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (!next.isFolder) visitFile(next.point, visitor);
    else for (const entry of entriesOf(next.point, root, visitor)) pending.push(entry);
  }
}

/** A file or folder that no rule hides. */
interface Found {
  readonly point: WalkPoint;
  readonly isFolder: boolean;
}

/** Visits a folder and returns what it has, the last in path order first. */
function entriesOf(point: WalkPoint, root: string, visitor: WalkVisitor): readonly Found[] {
  const found = statOf(point.absolute);
  const entries = list(point, visitor);
  if (entries === undefined || found === undefined) return [];
  const names = new Set<string>();
  for (const entry of entries) if (entry.name.startsWith('.')) names.add(entry.name);
  const isWorktree = point.path !== '' && names.has('.git') && isWorktreeBelow(point.absolute, root);
  if (isWorktree) visitor.worktree(point.path);
  visitor.folder({ path: point.path, id: folderId(found), repository: names.has('.git') });
  const rules = enterFolder(point.absolute, point.rules, (name) => names.has(name));
  const here: WalkPoint = { ...point, rules, linked: point.linked || isWorktree };
  const inside: Found[] = [];
  for (const entry of entries) {
    const isFolder = entry.isDirectory();
    if (!isFolder && !entry.isFile()) continue;
    const next = admit(here, entry.name, isFolder);
    if (next !== undefined) inside.push({ point: next, isFolder });
  }
  return inside.sort((a, b) => comparePaths(orderOf(b), orderOf(a)));
}

/** A folder comes where its content does. */
function orderOf({ point, isFolder }: Found): string {
  return isFolder ? `${point.path}/` : point.path;
}

/** The point of an entry, or undefined if a rule hides it. */
function admit(point: WalkPoint, name: string, isFolder: boolean): WalkPoint | undefined {
  if (name === '.git') return undefined;
  const absolute = point.absolute.endsWith('/') ? point.absolute + name : `${point.absolute}/${name}`;
  const verdict = point.rules === undefined ? undefined : judge(point.rules, absolute, name, isFolder);
  if (verdict === 'ignore') return undefined;
  return {
    absolute,
    path: point.path === '' ? name : `${point.path}/${name}`,
    rules: point.rules,
    hidden: point.hidden || (name.startsWith('.') && verdict !== 'keep'),
    linked: point.linked,
  };
}

function visitFile(point: WalkPoint, visitor: WalkVisitor): void {
  const found = statOf(point.absolute);
  if (found === undefined) mayBeUnnameable(point.path, visitor);
  if (!found?.isFile()) return;
  const { size, mtimeMs, ctimeMs, ino } = found;
  visitor.file({ path: point.path, size, mtimeMs, ctimeMs, ino, hidden: point.hidden, linked: point.linked });
}

/**
 * A name that is not UTF-8 is listed with replacement characters, if another name would look the same; no file has that
 * name.
 */
function mayBeUnnameable(path: string, visitor: WalkVisitor): void {
  if (nameOf(path).includes('\ufffd')) visitor.unreadable(path);
}

function list(point: WalkPoint, visitor: WalkVisitor): FolderEntry[] | undefined {
  try {
    return listFolder(point.absolute);
  } catch {
    visitor.unreadable(point.path);
    return undefined;
  }
}

function statOf(path: string) {
  try {
    return lstatSync(pathOnDisk(path), { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function parentRules(root: string): FolderRules | undefined {
  const above = join(root, '..');
  return above === root ? undefined : rulesAt(above);
}

/** Whether `.git` is a file that points into the `worktrees` of a repository below the root. */
export function isWorktreeBelow(folder: string, root: string): boolean {
  const main = /^(.*)[\\/]\.git(?:[\\/]modules[\\/].*)?[\\/]worktrees[\\/][^\\/]+[\\/]?$/.exec(
    gitFolder(folder),
  )?.[1];
  return main !== undefined && isInside(main, root) && statOf(main) !== undefined;
}
