import { usableDataFolder } from '../app/home.ts';
import { killThisProcess } from '../daemon/leave.ts';
import { createLog, failureLine } from '../daemon/log.ts';
import { becomeOwner, DEFAULT_PORT, type OwnerOptions } from '../daemon/owner.ts';
import type { BuiltIn } from './built-in.ts';
import { readFlags, wholeNumber } from './flags.ts';

export const owner: BuiltIn = {
  usage: 'pinhole owner [flags]',
  flags: [
    ['--port N', `port to listen on (default ${DEFAULT_PORT}, or a free one)`],
    ['--idle-seconds N', 'end after so long without a call (default 1800)'],
  ],
  examples: ['pinhole owner --port 0'],
  async run(args) {
    const home = usableDataFolder();
    const running = await becomeOwner({ ...readOptions(args, home), kill: killThisProcess });
    if (running === undefined) return 0;
    // A bug in one answer must not take the others down; the log keeps it.
    process.on('unhandledRejection', (reason) =>
      running.log(`unhandled rejection: ${reason instanceof Error ? reason.stack : String(reason)}`),
    );
    // No signal is listened to: a listener runs on the main thread, so a busy one would make this process deaf. The
    // system ends it at once; all that is written survives that. `pinhole stop` asks it to end in good order.
    await running.ended;
    return 0;
  },
};

/** What the flags and the environment ask for; nobody sees what this process says, so a mistake goes to the log. */
function readOptions(args: readonly string[], home: string): OwnerOptions {
  try {
    const { values } = readFlags(args, {
      port: { type: 'string', default: process.env.PINHOLE_PORT ?? String(DEFAULT_PORT) },
      'idle-seconds': { type: 'string', default: process.env.PINHOLE_IDLE_SECONDS ?? '1800' },
    });
    return {
      home,
      host: '127.0.0.1',
      port: wholeNumber('port', values.port, 0, 65_535),
      strictPort: false,
      idleMs: wholeNumber('idle-seconds', values['idle-seconds'], 1, 1_000_000) * 1000,
    };
  } catch (error) {
    createLog(home)(failureLine(error instanceof Error ? error.message : String(error)));
    throw error;
  }
}
