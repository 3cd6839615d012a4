import { errorText } from '../contract/errors.ts';
import { VERSION } from '../contract/version.ts';
import { findOrStartOwner } from '../daemon/connect.ts';
import { findOwner } from '../daemon/find-owner.ts';
import type { Finding } from './finding.ts';

/** Whether the background process runs or can be started; starting it proves that all its parts load. */
export async function checkProcess(home: string): Promise<Finding> {
  try {
    const before = await findOwner(home);
    const started = performance.now();
    const owner = before ?? (await findOrStartOwner(home));
    const took = Math.round(performance.now() - started);
    const where = `http://${owner.host}:${owner.port} (pid ${owner.pid})`;
    if (owner.version !== VERSION)
      return {
        check: 'process',
        state: 'warn',
        text: `version ${owner.version} runs at ${where}, this is ${VERSION}`,
        fix: 'pinhole restart',
      };
    return {
      check: 'process',
      state: 'ok',
      text: before === undefined ? `started at ${where} in ${took} ms` : `runs at ${where}`,
    };
  } catch (error) {
    return {
      check: 'process',
      state: 'fail',
      text: errorText(error),
      fix: 'pinhole logs, then pinhole restart',
    };
  }
}
