import type { BuiltIn } from '../command/built-in.ts';
import { noMoreWords, readFlags } from '../command/flags.ts';
import { fail } from '../contract/errors.ts';
import { columns } from '../contract/format.ts';
import { openTeamStore } from '../team/team-store.ts';
import { SCOPES, type TeamTokens, teamTokens } from '../team/team-tokens.ts';

const ACTIONS = ['create', 'list', 'rotate', 'revoke'] as const;

export const team: BuiltIn = {
  usage: 'pinhole team token create|list|rotate|revoke [NAME] [flags]',
  flags: [
    ['--scope SCOPES', 'what the token may do: read, collect, admin, or several with commas (default read)'],
    [
      '--project NAME',
      'a project whose sessions it sees, such as github.com/acme/api; may be repeated (default all)',
    ],
    ['--database URL', 'the PostgreSQL of the team server (also: PINHOLE_DATABASE_URL)'],
  ],
  examples: [
    'pinhole team token create ann-laptop --scope collect',
    'pinhole team token create dashboards --scope read --project github.com/acme/api',
    'pinhole team token revoke ann-laptop',
  ],
  values: { '': ['token'] },
  async run(args) {
    const { values, positionals } = readFlags(args, {
      scope: { type: 'string' },
      project: { type: 'string', multiple: true },
      database: { type: 'string', default: process.env.PINHOLE_DATABASE_URL ?? '' },
    });
    const [subject, action, name, ...more] = positionals;
    noMoreWords(more);
    const known = ACTIONS.find((one) => one === action);
    if (subject !== 'token' || known === undefined || (known !== 'list' && name === undefined))
      fail('invalid_parameter', `Use: ${team.usage}`);
    if (known === 'list') noMoreWords(name === undefined ? [] : [name]);
    if (known !== 'create' && (values.scope !== undefined || values.project !== undefined))
      fail('invalid_parameter', `--scope and --project belong to create; ${known} takes neither.`);
    if (values.database === '')
      fail('invalid_parameter', 'Give the address of the database with --database or PINHOLE_DATABASE_URL.');
    const scopes = (values.scope ?? 'read')
      .split(',')
      .map((given) => SCOPES.find((scope) => scope === given.trim()));
    if (scopes.includes(undefined))
      fail('invalid_parameter', '--scope takes read, collect and admin, separated by commas.');
    const db = await openTeamStore(values.database, { log: () => {}, connections: 1 });
    try {
      const holder = {
        name: name ?? '',
        scopes: scopes.filter((scope) => scope !== undefined),
        projects: values.project,
      };
      process.stdout.write(`${await act(teamTokens(db), known, holder)}\n`);
      return 0;
    } finally {
      await db.close();
    }
  },
};

async function act(
  tokens: TeamTokens,
  action: (typeof ACTIONS)[number],
  holder: Parameters<TeamTokens['create']>[0],
): Promise<string> {
  if (action === 'create' || action === 'rotate') {
    const token = await (action === 'create' ? tokens.create(holder) : tokens.rotate(holder.name));
    // Not with the token, so that a script can read that alone.
    process.stderr.write('Copy the token now. It is not shown again.\n');
    return token;
  }
  if (action === 'revoke') {
    await tokens.revoke(holder.name);
    return `The token '${holder.name}' was revoked.`;
  }
  const listed = await tokens.list();
  if (listed.length === 0)
    return 'There are no tokens yet. Make one: pinhole team token create NAME --scope collect';
  const day = (ms: number | undefined) => (ms === undefined ? '-' : new Date(ms).toISOString().slice(0, 10));
  return columns([
    ['name', 'scopes', 'projects', 'made', 'used', 'revoked'],
    ...listed.map(({ name, scopes, projects, createdMs, usedMs, revokedMs }) => [
      ...[name, scopes.join(','), projects?.join(',') ?? 'all'],
      ...[createdMs, usedMs, revokedMs].map(day),
    ]),
  ]);
}
