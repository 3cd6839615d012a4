import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { usableDataFolder } from '../app/home.ts';
import type { BuiltIn } from '../command/built-in.ts';
import { noMoreWords, readFlags } from '../command/flags.ts';
import { fail } from '../contract/errors.ts';
import { countOf, countText } from '../contract/format.ts';
import { VERSION } from '../contract/version.ts';
import { PROVIDERS } from '../sessions/providers/index.ts';
import { logFolders } from '../sessions/providers/log-files.ts';
import { tryLock } from '../store/lock.ts';
import { openPositions } from '../team/collect-positions.ts';
import { type Migrated, migrateLocal } from '../team/migrate-local.ts';
import { openTeamStore } from '../team/team-store.ts';

export const migrate: BuiltIn = {
  usage: 'pinhole migrate --to postgres://USER@HOST/NAME [flags]',
  flags: [
    ['--to URL', 'the PostgreSQL of a team server'],
    ['--person NAME', 'who works on this machine (default: the user name)'],
  ],
  examples: ['pinhole migrate --to postgres://pinhole@db.example.com/pinhole'],
  async run(args) {
    const { values, positionals } = readFlags(args, {
      to: { type: 'string', default: '' },
      person: { type: 'string', default: userInfo().username },
    });
    noMoreWords(positionals);
    if (values.to === '') fail('invalid_parameter', 'Give the address of the database with --to.');
    const home = usableDataFolder();
    const lock = tryLock(join(home, 'collect.lock'));
    if (lock === undefined) fail('conflict', 'pinhole collect is using this data folder. Stop it first.');
    const report = (line: string) => process.stderr.write(`${line}\n`);
    try {
      const db = await openTeamStore(values.to, { log: report });
      // The password is not part of what is remembered.
      const { host, pathname } = new URL(values.to);
      const positions = await openPositions(join(home, 'collect.db'), `postgres://${host}${pathname}`);
      try {
        const sender = {
          machine: { id: positions.machine, name: hostname() },
          person: values.person,
          version: VERSION,
        };
        const folders = logFolders(PROVIDERS);
        const done = await migrateLocal({
          home,
          db,
          providers: PROVIDERS,
          folders,
          positions,
          sender,
          log: report,
        });
        process.stdout.write(`${migratedText(done)}\n`);
        return done.failed === 0 && done.different.length === 0 ? 0 : 1;
      } finally {
        await positions.close();
        await db.close();
      }
    } finally {
      lock.release();
    }
  },
};

const MAX_NAMED_SESSIONS = 10;

function named(ids: readonly string[]): string {
  const more =
    ids.length > MAX_NAMED_SESSIONS ? ` and ${countText(ids.length - MAX_NAMED_SESSIONS)} more` : '';
  return `${ids.slice(0, MAX_NAMED_SESSIONS).join(', ')}${more}`;
}

function migratedText({ logs, records, failed, same, grown, different, gone }: Migrated): string {
  return [
    `Moved ${countOf(records, 'record')} of ${countOf(logs, 'log')}.`,
    `${countOf(same, 'session')} ${same === 1 ? 'is' : 'are'} the same in both databases${grown === 0 ? '' : `, ${countText(grown)} grew meanwhile`}.`,
    ...(failed === 0 ? [] : [`${countOf(failed, 'log')} could not be read. Run the command again.`]),
    ...(different.length === 0
      ? []
      : [`Different: ${named(different)}. Keep the data folder, and report this.`]),
    ...(gone.length === 0
      ? []
      : [`Not moved, because the agent deleted the log and the archive was off: ${named(gone)}.`]),
  ].join('\n');
}
