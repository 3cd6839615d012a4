import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { systemCode } from '../contract/errors.ts';
import type { Change } from './plan-changes.ts';
import { UnusableSettings } from './settings-format.ts';

/** Makes a planned change: a backup beside the file, then one rename. Returns the path of the backup, if there was a file. */
export function applyChange(change: Change, now: number): string | undefined {
  const { file, before, after } = change;
  if (before === undefined) {
    mkdirSync(dirname(file), { recursive: true });
    replaceFile(file, after, change.scope === 'user' ? 0o600 : undefined, before);
    return undefined;
  }
  // A symbolic link, as dotfile managers create them, stays a link.
  const real = realpathSync(file);
  const backup = freeName(`${file}.before-pinhole-${stamp(now)}`);
  copyFileSync(real, backup, constants.COPYFILE_EXCL);
  replaceFile(real, after, statSync(real).mode & 0o777, before);
  return backup;
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
    // Clients write their settings too: the change only fits the text it was planned for.
    if (currentText(file) !== expected)
      throw new UnusableSettings('it changed while setup was running. Run setup again');
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function currentText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
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
