import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { createInterface } from 'node:readline/promises';
import type { BuiltIn } from '../command/built-in.ts';
import { readFlags } from '../command/flags.ts';
import { PinholeError, systemCode } from '../contract/errors.ts';
import { countOf } from '../contract/format.ts';
import { redact } from '../contract/redact.ts';
import { applyChange } from '../setup/apply.ts';
import { CLIENT_NAMES, CLIENTS, type Client, isInstalled, SCOPES, type Scope } from '../setup/clients.ts';
import { lineDiff } from '../setup/diff.ts';
import { defaultLaunch, splitCommand } from '../setup/launch.ts';
import { type Place, thisPlace } from '../setup/place.ts';
import { type Change, planClient } from '../setup/plan-changes.ts';
import { UnusableSettings } from '../setup/settings-format.ts';
import { bold, dim, green, red, yellow } from './colours.ts';

export const setup: BuiltIn = {
  usage: 'pinhole setup [flags]',
  flags: [
    [
      '--client NAME',
      `only this client: ${CLIENT_NAMES.join(', ')}; can be repeated (default: all that are found)`,
    ],
    ['--scope SCOPE', 'user (default): for all your projects; project: for the current folder'],
    ['--dry-run', 'show what would change, without changing it'],
    ['--remove', 'remove Pinhole from the settings'],
    ['--yes', 'do not ask for confirmation'],
    ['--command LINE', 'the command that clients should run'],
  ],
  values: { '--client': CLIENT_NAMES, '--scope': SCOPES },
  examples: [
    'pinhole setup --dry-run',
    'pinhole setup --client codex --yes',
    'pinhole setup --command "pinhole mcp --toolsets code,sessions"',
    'pinhole setup --remove',
  ],
  async run(args) {
    const { values, positionals } = readFlags(args, {
      client: { type: 'string', multiple: true, default: [] },
      scope: { type: 'string', default: 'user' },
      'dry-run': { type: 'boolean', default: false },
      remove: { type: 'boolean', default: false },
      yes: { type: 'boolean', default: false },
      command: { type: 'string' },
    });
    if (positionals[0] !== undefined)
      wrong(`Unexpected argument '${positionals[0]}'. Choose clients with --client.`);
    const place = thisPlace();
    const scope = SCOPES.find((name) => name === values.scope) ?? wrong('--scope must be user or project.');
    const clients = wantedClients(values.client, place);
    const launch = values.remove
      ? undefined
      : values.command === undefined
        ? defaultLaunch(realpathSync(process.argv[1] ?? ''), place)
        : splitCommand(values.command);
    const changes = clients.flatMap((client) => planClient(client, place, { scope, launch }));
    show(changes, clients, scope);
    return finish(changes, { dryRun: values['dry-run'], yes: values.yes });
  },
};

function wantedClients(names: readonly string[], place: Place): readonly Client[] {
  const wanted = names.flatMap((list) => list.split(',')).map((name) => name.trim());
  for (const name of wanted)
    if (!CLIENTS.some((client) => client.name === name))
      wrong(`Unknown client '${name}'. Choose one of: ${CLIENT_NAMES.join(', ')}.`);
  return CLIENTS.filter(({ name }) => wanted.includes(name)).concat(
    wanted.length > 0 ? [] : CLIENTS.filter((client) => isInstalled(client, place)),
  );
}

function show(changes: readonly Change[], clients: readonly Client[], scope: Scope): void {
  for (const { client, file, what, before, after, reason } of changes) {
    const state = {
      add: before === undefined ? 'new file' : 'add',
      update: 'update',
      remove: 'remove',
      nothing: dim('nothing to change'),
      refused: red(`left alone: ${reason}`),
    }[what];
    print(`${bold(client.title.padEnd(12))} ${short(file)}  ${state}`);
    if (what === 'refused' || what === 'nothing') continue;
    for (const line of lineDiff(before ?? '', after)) print(`    ${colored(redact(line))}`);
  }
  const others = CLIENTS.filter((client) => !clients.includes(client));
  if (clients.length === 0) print('No clients were found for this user.');
  if (others.length > 0)
    print(
      dim(
        `Not included: ${others.map(({ title }) => title).join(', ')}. To include one: pinhole setup --client ${others[0]?.name} --scope ${scope}`,
      ),
    );
}

async function finish(
  changes: readonly Change[],
  { dryRun, yes }: { readonly dryRun: boolean; readonly yes: boolean },
): Promise<number> {
  const refused = changes.filter(({ what }) => what === 'refused').length;
  const wanted = changes.filter(({ what }) => what !== 'refused' && what !== 'nothing');
  if (wanted.length === 0) return refused > 0 ? 1 : 0;
  if (dryRun) {
    print(`\nNothing was changed. Without --dry-run, ${countOf(wanted.length, 'file')} would be.`);
    return refused > 0 ? 1 : 0;
  }
  if (!yes && !(await agreed(wanted.length))) return 1;
  const failed = wanted.filter((change) => !write(change)).length;
  return refused + failed > 0 ? 1 : 0;
}

async function agreed(count: number): Promise<boolean> {
  if (process.stdin.isTTY !== true) {
    print('\nNothing was changed. Use --yes to skip the confirmation.');
    return false;
  }
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await lines.question(
    `\nChange ${countOf(count, 'file')}? A backup is kept beside each. [y/N] `,
  );
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}

function write(change: Change): boolean {
  const { client, scope, file, what } = change;
  try {
    const backup = applyChange(change, Date.now());
    const kept = backup === undefined ? '' : dim(`  (backup: ${short(backup)})`);
    print(`${green('done')}  ${client.title}: ${short(file)}${kept}`);
    if (what !== 'remove') print(`      ${client.next[scope]}`);
    return true;
  } catch (error) {
    const reason = error instanceof UnusableSettings ? error.message : systemCode(error);
    if (reason === undefined) throw error;
    print(`${red('failed')} ${client.title}: ${short(file)}: ${reason}`);
    return false;
  }
}

function colored(line: string): string {
  return line.startsWith('+') ? green(line) : line.startsWith('-') ? yellow(line) : dim(line);
}

function short(path: string): string {
  const home = homedir();
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function wrong(message: string): never {
  throw new PinholeError('invalid_parameter', message);
}
