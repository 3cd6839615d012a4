import { systemCode } from '../contract/errors.ts';
import { NotOpened, readWhole } from '../contract/open-file.ts';
import { UnusableSettings } from './settings-format.ts';

/** Far more than any client writes; Claude Code's file grows to some megabytes. */
const MAX_MB = 64;

/** The text of a settings file; undefined if there is none. Links are followed, as dotfile managers make them. */
export function readSettings(file: string): string | undefined {
  return settingsBytes(file)?.toString('utf8');
}

/** The same as it is on the disk, for a backup. */
export function settingsBytes(file: string): Buffer | undefined {
  try {
    return readWhole(file, 'anywhere', MAX_MB * 1_000_000);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    if (!(error instanceof NotOpened)) throw error;
    throw new UnusableSettings(
      error.why === 'size' ? `it is larger than ${MAX_MB} MB` : 'it is not a plain file',
    );
  }
}
