import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

let sid: Promise<string> | undefined;

/** How a system names this user in trash folders: by number, on Windows by SID. */
export async function trashOwner(): Promise<string> {
  if (process.platform !== 'win32') return String(process.getuid?.() ?? 0);
  sid ??= promisify(execFile)('whoami', ['/user', '/fo', 'csv', '/nh']).then(
    ({ stdout }) => /S-1-[\d-]+/.exec(stdout)?.[0] ?? '',
  );
  return sid;
}
