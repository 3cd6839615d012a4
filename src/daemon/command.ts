import { usableDataFolder } from '../app/home.ts';
import type { BuiltIn } from '../command/built-in.ts';
import { readFlags, wholeNumber } from '../command/flags.ts';
import { createLog, startFailureLine } from '../connect/background-log.ts';
import { killThisProcess } from '../connect/end-process.ts';
import { errorStack, errorText } from '../contract/errors.ts';
import { type BackgroundOptions, startBackground } from './background.ts';
import { DEFAULT_PORT } from './default-port.ts';

export const background: BuiltIn = {
  usage: 'pinhole background [flags]',
  flags: [
    ['--port N', `port to listen on (default ${DEFAULT_PORT}, or a free one if taken)`],
    ['--idle-seconds N', 'end after this long without a request (default 1800)'],
  ],
  examples: ['pinhole background --port 0'],
  async run(args) {
    const home = usableDataFolder();
    const running = await startBackground({ ...readOptions(args, home), kill: killThisProcess });
    if (running === undefined) return 0;
    // A bug in one answer must not end the process for everyone else; the log records it.
    process.on('unhandledRejection', (reason) => running.log(`unhandled rejection: ${errorStack(reason)}`));
    // No signal handlers: they run on the main thread, so a busy process could not be ended by a signal. Everything
    // written survives a sudden end, and `pinhole stop` asks for an orderly one first.
    await running.ended;
    return 0;
  },
};

/** Reads flags and environment. Nobody sees the output of this process, so a mistake goes to the log. */
function readOptions(args: readonly string[], home: string): BackgroundOptions {
  try {
    const { values } = readFlags(args, {
      port: { type: 'string', default: process.env.PINHOLE_PORT ?? String(DEFAULT_PORT) },
      'idle-seconds': { type: 'string', default: process.env.PINHOLE_IDLE_SECONDS ?? '1800' },
    });
    return {
      home,
      host: '127.0.0.1',
      port: wholeNumber('--port', values.port, 0, 65_535),
      strictPort: false,
      idleMs: wholeNumber('--idle-seconds', values['idle-seconds'], 1, 1_000_000) * 1000,
    };
  } catch (error) {
    createLog(home)(startFailureLine(errorText(error)));
    throw error;
  }
}
