import type { BuiltIn } from '../command/built-in.ts';
import { noMoreWords, readFlags } from '../command/flags.ts';
import { fail } from '../contract/errors.ts';
import { columns, countOf } from '../contract/format.ts';
import { ALL_PROJECTS, deleteExpired, expired, retentionDays, setRetention } from '../team/team-retention.ts';
import { openTeamStore } from '../team/team-store.ts';

const AGE = /^(\d{1,5})\s*(d|w|mo|y)?$/;
const DAYS = { d: 1, w: 7, mo: 30, y: 365 } as const;

export const retention: BuiltIn = {
  usage: 'pinhole retention [--keep AGE] [flags]',
  flags: [
    ['--keep AGE', 'how long logs are kept after their last record arrived: 90d, 6mo, 2y, or forever'],
    ['--project NAME', 'set it for this project, such as github.com/acme/api (default: all others)'],
    ['--delete', 'delete what is older now; the nodes do so every day'],
    ['--database URL', 'the PostgreSQL of the team server (also: PINHOLE_DATABASE_URL)'],
  ],
  examples: [
    'pinhole retention --keep 1y',
    'pinhole retention --keep 30d --project github.com/acme/secret',
    'pinhole retention --delete',
  ],
  async run(args) {
    const { values, positionals } = readFlags(args, {
      keep: { type: 'string' },
      project: { type: 'string' },
      delete: { type: 'boolean', default: false },
      database: { type: 'string', default: process.env.PINHOLE_DATABASE_URL ?? '' },
    });
    noMoreWords(positionals);
    if (values.database === '')
      fail('invalid_parameter', 'Give the address of the database with --database or PINHOLE_DATABASE_URL.');
    if (values.project !== undefined && values.keep === undefined)
      fail('invalid_parameter', '--project belongs to --keep.');
    const days = values.keep === undefined ? undefined : daysOf(values.keep);
    const db = await openTeamStore(values.database, { log: () => {}, connections: 2 });
    try {
      if (values.keep !== undefined) await setRetention(db, values.project ?? ALL_PROJECTS, days);
      const set = Object.entries(await retentionDays(db));
      const rows = set.map(([project, kept]) => [
        project === ALL_PROJECTS ? 'all others' : project,
        countOf(kept, 'day'),
      ]);
      process.stdout.write(
        rows.length === 0 ? 'Everything is kept.\n' : `${columns([['project', 'kept'], ...rows])}\n`,
      );
      const signal = new AbortController().signal;
      const found = values.delete
        ? await deleteExpired(db, Date.now(), signal)
        : await expired(db, Date.now());
      const what = `${countOf(found.logs, 'log')} with ${countOf(found.records, 'record')}`;
      process.stdout.write(values.delete ? `Deleted ${what}.\n` : `Older: ${what}.\n`);
      return 0;
    } finally {
      await db.close();
    }
  },
};

/** Days, or undefined for what is kept forever. */
function daysOf(keep: string): number | undefined {
  if (keep === 'forever') return undefined;
  const [, amount, unit = 'd'] = AGE.exec(keep.trim()) ?? [];
  if (amount === undefined || !(unit in DAYS))
    fail('invalid_parameter', '--keep takes an age such as 90d, 12w, 6mo or 2y, or forever.');
  // One of the keys, by the pattern.
  return Number(amount) * DAYS[unit as keyof typeof DAYS];
}
