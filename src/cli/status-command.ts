import { dataFolder } from '../app/home.ts';
import type { BuiltIn } from '../command/built-in.ts';
import { noMoreWords, readFlags } from '../command/flags.ts';
import { holderOf } from '../connect/data-holder.ts';
import { findBackground } from '../connect/find-background.ts';
import { agoText } from '../contract/format.ts';

export const status: BuiltIn = {
  usage: 'pinhole status [--json | --url]',
  flags: [
    ['--json', 'the answer as JSON'],
    ['--url', 'only the address, for scripts'],
  ],
  examples: ['pinhole status', 'curl "$(pinhole status --url)/healthz"'],
  async run(args) {
    const { values, positionals } = readFlags(args, {
      json: { type: 'boolean', default: false },
      url: { type: 'boolean', default: false },
    });
    noMoreWords(positionals);
    const home = dataFolder();
    const background = await findBackground(home);
    const holder = background ? undefined : holdingPid(home);
    const facts = background
      ? {
          running: true,
          url: `http://${background.host}:${background.port}`,
          pid: background.pid,
          version: background.version,
          started_at: new Date(background.started_at).toISOString(),
          home,
        }
      : { running: false, url: undefined, ...(holder && { unreachable_pid: holder }), home };
    if (values.json) process.stdout.write(`${JSON.stringify({ data: facts })}\n`);
    else if (values.url) writeUrl(facts.url);
    else if (background) {
      const { version, host, port, pid, started_at } = background;
      process.stdout.write(
        `Pinhole ${version} is running at http://${host}:${port} (pid ${pid}, started ${agoText(started_at, Date.now())})\nData: ${home}\n`,
      );
    } else if (holder) {
      process.stdout.write(
        `Process ${holder} holds the data folder but cannot be reached from here. Stop it with: pinhole stop\nData: ${home}\n`,
      );
    } else
      process.stdout.write(`Pinhole is not running. The next command or agent starts it.\nData: ${home}\n`);
    return background ? 0 : 1;
  },
};

/** A script that reads nothing here must not ask somebody else's server. */
function writeUrl(url: string | undefined): void {
  if (url === undefined)
    process.stderr.write('pinhole: Pinhole is not running. The next command starts it.\n');
  else process.stdout.write(`${url}\n`);
}

/** The process that holds the data folder, if it is known. */
function holdingPid(home: string): number | undefined {
  const holder = holderOf(home);
  return holder === undefined || holder === 'unknown' ? undefined : holder.pid;
}
