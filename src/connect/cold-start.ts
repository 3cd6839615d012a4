import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ColdUsage } from '../app/cold-usage.ts';
import type { Answer, Call, Engine } from '../contract/engine.ts';
import type { RawInput } from '../contract/input.ts';
import { isHeld } from './data-holder.ts';
import { staysLocal } from './find-or-start.ts';
import { beginBackground } from './reach-background.ts';
import type { RemoteEngine } from './remote-engine.ts';

/**
 * An engine that answers the first question about tokens in this process, while nothing is indexed: reading the tokens
 * takes less than starting the background process, which is started afterwards and indexes everything.
 */
export function withColdStart(remote: RemoteEngine, home: string): RemoteEngine {
  let cold: ColdUsage | undefined;

  async function answer(input: RawInput, call: Call): Promise<Answer | undefined> {
    const { coldUsage } = await import('../app/cold-usage.ts');
    const { createLog } = await import('./background-log.ts');
    cold ??= coldUsage(home, createLog(home));
    const answered = await cold.run('usage', input, call);
    // The rest of the rows is asked for with a cursor, which the background process has to know.
    return cold.isCut() ? undefined : answered;
  }

  const run: Engine['run'] = async (operation, input, call) =>
    (operation === 'usage' && input.cursor === undefined && isCold(home)
      ? await answer(input, call)
      : undefined) ?? remote.run(operation, input, call);

  return {
    run,
    async close(finish) {
      await remote.close(finish);
      await cold?.close();
      if (cold !== undefined && !staysLocal()) await beginBackground(home);
    },
  };
}

/** Nothing is indexed, and nobody is at it. A team server has its index elsewhere. */
function isCold(home: string): boolean {
  return !process.env.PINHOLE_DATABASE_URL && !existsSync(join(home, 'sessions.db')) && !isHeld(home);
}
