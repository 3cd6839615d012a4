import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readWhole } from '../../contract/open-file.ts';
import { commonGitFolder } from './ignore-rules.ts';

const MAX_NOTE_BYTES = 64 << 10;

/** The other checkouts of the repository whose top is this folder: its worktrees, and the main one if there is one. */
export function otherCheckouts(root: string): string[] {
  if (!existsSync(join(root, '.git'))) return [];
  const common = commonGitFolder(root);
  const main = basename(common) === '.git' ? [dirname(common)] : [];
  const all = [...main, ...worktreesOf(common)].flatMap((folder) => realFolder(folder) ?? []);
  return [...new Set(all)].filter((folder) => folder !== root);
}

/** Git notes where the `.git` of each linked worktree is. */
function worktreesOf(common: string): string[] {
  const notes = join(common, 'worktrees');
  try {
    return readdirSync(notes).flatMap((name) => noted(join(notes, name, 'gitdir')) ?? []);
  } catch {
    return [];
  }
}

function noted(file: string): string | undefined {
  try {
    return dirname(readWhole(file, 'anywhere', MAX_NOTE_BYTES).toString('utf8').trim());
  } catch {
    return undefined;
  }
}

function realFolder(folder: string): string | undefined {
  try {
    return realpathSync(folder);
  } catch {
    // A worktree that was deleted by hand.
    return undefined;
  }
}
