import { usableDataFolder } from '../app/home.ts';
import { becomeOwner, DEFAULT_PORT } from '../daemon/owner.ts';
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
    const { values } = readFlags(args, {
      port: { type: 'string', default: process.env.PINHOLE_PORT ?? String(DEFAULT_PORT) },
      'idle-seconds': { type: 'string', default: process.env.PINHOLE_IDLE_SECONDS ?? '1800' },
    });
    const running = await becomeOwner({
      home: usableDataFolder(),
      host: '127.0.0.1',
      port: wholeNumber('port', values.port, 0, 65_535),
      strictPort: false,
      idleMs: wholeNumber('idle-seconds', values['idle-seconds'], 1, 1_000_000) * 1000,
    });
    if (running === undefined) return 0;
    // A bug in one answer must not take the others down; the log keeps it.
    process.on('unhandledRejection', (reason) =>
      running.log(`unhandled rejection: ${reason instanceof Error ? reason.stack : String(reason)}`),
    );
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
      process.once(signal, () => void running.stop());
    await running.ended;
    return 0;
  },
};
