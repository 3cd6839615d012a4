import { dataFolder } from '../app/home.ts';
import { agoText } from '../contract/format.ts';
import { isoTime } from '../contract/time.ts';
import { findOwner } from '../daemon/find-owner.ts';
import { holderOf } from '../daemon/holder.ts';
import type { BuiltIn } from './built-in.ts';
import { readFlags } from './flags.ts';

export const status: BuiltIn = {
  usage: 'pinhole status [--json]',
  flags: [['--json', 'as JSON']],
  examples: ['pinhole status'],
  async run(args) {
    const { values } = readFlags(args, { json: { type: 'boolean', default: false } });
    const home = dataFolder();
    const owner = await findOwner(home);
    const holder = owner ? undefined : holdingPid(home);
    const facts = owner
      ? {
          running: true,
          url: `http://${owner.host}:${owner.port}`,
          pid: owner.pid,
          version: owner.version,
          started_at: isoTime(owner.started_at),
          home,
        }
      : { running: false, ...(holder && { unreachable_pid: holder }), home };
    if (values.json) process.stdout.write(`${JSON.stringify(facts)}\n`);
    else if (owner) {
      process.stdout.write(
        `Pinhole ${owner.version} runs at http://${owner.host}:${owner.port} (pid ${owner.pid}, started ${agoText(owner.started_at, Date.now())})\nData: ${home}\n`,
      );
    } else if (holder) {
      process.stdout.write(
        `Process ${holder} has the data, but cannot be reached from here. End it with: pinhole stop\nData: ${home}\n`,
      );
    } else
      process.stdout.write(`Pinhole is not running; the next command or agent starts it.\nData: ${home}\n`);
    return owner ? 0 : 1;
  },
};

/** The process that has the data, where it can be told. */
function holdingPid(home: string): number | undefined {
  const holder = holderOf(home);
  return holder === undefined || holder === 'unknown' ? undefined : holder.pid;
}
