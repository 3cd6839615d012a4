import { findBackground } from '../connect/find-background.ts';
import { findOrStartBackground } from '../connect/find-or-start.ts';
import { errorText } from '../contract/errors.ts';
import { VERSION } from '../contract/version.ts';
import type { Finding } from './doctor-finding.ts';

/** Checks that the background process runs or can be started; starting it proves that all its parts load. */
export async function checkProcess(home: string): Promise<Finding> {
  try {
    const before = await findBackground(home);
    const started = performance.now();
    const background = before ?? (await findOrStartBackground(home));
    const took = Math.round(performance.now() - started);
    const where = `http://${background.host}:${background.port} (pid ${background.pid})`;
    if (background.version !== VERSION)
      return {
        check: 'process',
        state: 'warn',
        text: `version ${background.version} is running at ${where}, but this is ${VERSION}`,
        fix: 'pinhole restart',
      };
    return {
      check: 'process',
      state: 'ok',
      text: before === undefined ? `started at ${where} in ${took} ms` : `running at ${where}`,
    };
  } catch (error) {
    return {
      check: 'process',
      state: 'fail',
      text: errorText(error),
      fix: 'see pinhole logs, then run pinhole restart',
    };
  }
}
