import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Change } from './plan-changes.ts';
import { readSettings, settingsBytes } from './read-settings.ts';
import { UnusableSettings } from './settings-format.ts';

/**
 * Makes a planned change: a backup, then one rename. Returns the path of the backup, if there was a file.
 *
 * @param backups where the backups of project files go, so that nobody commits them; those of a user are beside the file
 */
export function applyChange(change: Change, now: number, backups: string): string | undefined {
  const { file, scope, what, before, after } = change;
  if (before === undefined) {
    mkdirSync(dirname(file), { recursive: true });
    replaceFile(file, after ?? '', scope === 'user' ? 0o600 : undefined, before);
    return undefined;
  }
  // A symbolic link, as dotfile managers create them, stays a link.
  const real = realpathSync(file);
  // What a removal keeps still has Pinhole in it: restoring it must not be the way back to how it was before.
  const mark = what === 'remove' ? 'with-pinhole' : 'before-pinhole';
  const folder = scope === 'user' ? dirname(file) : backups;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const backup = freeName(join(folder, `${basename(file)}.${mark}-${stamp(now)}`));
  writeFileSync(backup, settingsBytes(real) ?? before, { flag: 'wx', mode: statSync(real).mode & 0o777 });
  if (after === undefined) removeFile(file, before);
  else replaceFile(real, after, statSync(real).mode & 0o777, before);
  return backup;
}

/** Deletes a file, and its folder if nothing else is in it. */
function removeFile(file: string, expected: string): void {
  refuseChanged(file, expected);
  rmSync(file);
  try {
    rmdirSync(dirname(file));
  } catch {
    // Other files are there.
  }
}

/** Without a mode the file gets the default one. */
function replaceFile(
  file: string,
  text: string,
  mode: number | undefined,
  expected: string | undefined,
): void {
  const temporary = `${file}.pinhole-${process.pid}`;
  try {
    const handle = openSync(temporary, 'w', mode);
    try {
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    if (mode !== undefined) chmodSync(temporary, mode);
    refuseChanged(file, expected);
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Clients write their settings too: the change only fits the text it was planned for. */
function refuseChanged(file: string, expected: string | undefined): void {
  if (readSettings(file) !== expected)
    throw new UnusableSettings('it changed while setup was running. Run setup again');
}

/** `20261115-034512` */
function stamp(now: number): string {
  return new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
}

function freeName(path: string): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? path : `${path}-${n}`;
    if (statSync(name, { throwIfNoEntry: false }) === undefined) return name;
  }
}
