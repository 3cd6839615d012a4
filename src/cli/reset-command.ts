import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder } from '../app/home.ts';
import type { BuiltIn } from '../command/built-in.ts';
import { noMoreWords, readFlags } from '../command/flags.ts';
import { stopBackground } from '../connect/stop-background.ts';
import { agrees } from './ask-person.ts';

/** What Pinhole itself wrote; anything else in the folder stays, whatever PINHOLE_HOME was set to. */
const OWN = /^(?:(?:pinhole|sessions|commits|meanings)\.db|background\.|sql-history$|run$|disk$|code$)/;
/** Copies of logs that their agents may have deleted, and whether more are made. */
const ARCHIVE_NAMES = ['archive', 'sessions.json'];

export const reset: BuiltIn = {
  usage: 'pinhole reset [--yes] [--archive]',
  flags: [
    ['--yes', 'do not ask for confirmation'],
    ['--archive', 'delete the archived session logs too; they may be the only copies'],
  ],
  examples: ['pinhole reset', 'pinhole reset --yes'],
  async run(args) {
    const { values, positionals } = readFlags(args, {
      yes: { type: 'boolean', default: false },
      archive: { type: 'boolean', default: false },
    });
    noMoreWords(positionals);
    const home = dataFolder();
    const wanted = existsSync(home)
      ? readdirSync(home).filter((name) => OWN.test(name) || (values.archive && ARCHIVE_NAMES.includes(name)))
      : [];
    if (wanted.length === 0) {
      process.stdout.write(`Nothing to delete in ${home}.\n`);
      return 0;
    }
    process.stdout.write(`In ${home}: ${wanted.join(', ')}\n`);
    if (!values.yes && !(await agreed())) return 1;
    await stopBackground(home);
    // Stopping writes a last time.
    for (const name of readdirSync(home))
      if (OWN.test(name) || (values.archive && ARCHIVE_NAMES.includes(name)))
        rmSync(join(home, name), { recursive: true, force: true });
    process.stdout.write('Deleted. The next command or agent starts afresh.\n');
    return 0;
  },
};

async function agreed(): Promise<boolean> {
  if (process.stdin.isTTY !== true) {
    process.stderr.write('Nothing was deleted. Use --yes to skip the confirmation.\n');
    return false;
  }
  const yes = await agrees(
    'Delete them? Indexes are built again; selections, saved queries, allowed folders and plans are lost.',
  );
  if (!yes) process.stdout.write('Nothing was deleted.\n');
  return yes;
}
