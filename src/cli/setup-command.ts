import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, sep } from 'node:path';
import { dataFolder } from '../app/home.ts';
import type { BuiltIn } from '../command/built-in.ts';
import { readFlags } from '../command/flags.ts';
import { SESSION_SCOPES, type SessionScope } from '../contract/caller.ts';
import { PinholeError, systemCode } from '../contract/errors.ts';
import { countOf } from '../contract/format.ts';
import { redact } from '../contract/redact.ts';
import { applyChange } from '../setup/apply.ts';
import { CLIENT_NAMES, type Client, SCOPES, type Scope } from '../setup/client.ts';
import { CLIENTS, isInstalled } from '../setup/clients.ts';
import { entryDiff } from '../setup/diff.ts';
import { defaultLaunch, splitCommand } from '../setup/launch.ts';
import { type Place, thisPlace } from '../setup/place.ts';
import { type Change, planClient } from '../setup/plan-changes.ts';
import { UnusableSettings } from '../setup/settings-format.ts';
import { planSkill } from '../setup/skill.ts';
import { agrees } from './ask-person.ts';
import { chooseSessions } from './choose-sessions.ts';
import { bold, dim, green, red, yellow } from './colours.ts';
import { offerArchive } from './offer-archive.ts';

export const setup: BuiltIn = {
  usage: 'pinhole setup [flags]',
  flags: [
    [
      '--client NAME',
      `only this client: ${CLIENT_NAMES.join(', ')}; can be repeated (default: all that are found)`,
    ],
    ['--scope SCOPE', 'user (default): for all your projects; project: for the current folder'],
    ['--sessions SCOPE', 'agent sessions that agents may see: all, or project: those of their folder'],
    ['--skill', 'write the skill that teaches agents the commands, instead of the MCP server'],
    ['--dry-run', 'show what would change, without changing it'],
    ['--remove', 'remove Pinhole and its skill from all settings, those of the current folder too'],
    ['--yes', 'do not ask for confirmation'],
    ['--command LINE', 'the command that clients should run'],
  ],
  values: { '--client': CLIENT_NAMES, '--scope': SCOPES, '--sessions': SESSION_SCOPES },
  examples: [
    'pinhole setup --dry-run',
    'pinhole setup --client codex --yes',
    'pinhole setup --command "pinhole mcp --toolsets code,sessions"',
    'pinhole setup --skill',
    'pinhole setup --remove',
  ],
  async run(args) {
    const { values, positionals } = readFlags(args, {
      client: { type: 'string', multiple: true, default: [] },
      scope: { type: 'string' },
      sessions: { type: 'string' },
      skill: { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
      remove: { type: 'boolean', default: false },
      yes: { type: 'boolean', default: false },
      command: { type: 'string' },
    });
    const place = thisPlace();
    const scopes = values.scope === undefined ? undefined : [scopeOf(values.scope)];
    const named = namedClients([...values.client, ...positionals]);
    const asks = !values.yes && !values['dry-run'] && !values.remove && !values.skill;
    const mayAsk = asks && values.command === undefined;
    const sessions = await chooseSessions(values.sessions, mayAsk);
    const request = { sessions, named, place, scopes, command: values.command, skill: values.skill };
    const changes = values.remove ? planRemoval(request) : planSetup(request);
    show(changes, values.remove);
    if (!values.remove && !values.skill) showOthers(changes, named, scopes?.[0] ?? 'user');
    const code = await finish(changes, { dryRun: values['dry-run'], yes: values.yes });
    if (code === 0 && asks && process.stdin.isTTY === true) await offerArchive();
    else if (code === 0 && values.yes && !values.remove && !values['dry-run'])
      print(dim('Agents delete their logs after a while. Keep copies: pinhole sessions archive on'));
    return code;
  },
};

interface Request {
  /** Empty: no client was named. */
  readonly named: readonly Client[];
  readonly place: Place;
  readonly scopes: readonly Scope[] | undefined;
  readonly command: string | undefined;
  readonly skill: boolean;
  /** The sessions that agents may see; undefined: as set up before. */
  readonly sessions: SessionScope | undefined;
}

function planSetup({
  named,
  place,
  scopes = ['user'],
  command,
  skill,
  sessions,
}: Request): readonly Change[] {
  const clients = named.length > 0 ? named : CLIENTS.filter((client) => isInstalled(client, place));
  return scopes.flatMap((scope) => {
    if (skill) return planSkill(place, scope, false);
    const without = named.filter((client) => client.files(place, scope).length === 0);
    if (without.length > 0)
      wrong(`${without.map(({ title }) => title).join(', ')}: no ${scope} settings. Use --scope user.`);
    const launch =
      command === undefined
        ? defaultLaunch(realpathSync(process.argv[1] ?? ''), place, scope)
        : splitCommand(command);
    // A project file belongs to a team: what works there stays, unless a command was asked for.
    const keepWorking = scope === 'project' && command === undefined && sessions === undefined;
    return clients.flatMap((client) => planClient(client, place, { scope, launch, sessions, keepWorking }));
  });
}

/** Looks into the settings of every client, installed or not, and of both scopes. */
function planRemoval({ named, place, scopes = SCOPES, skill }: Request): readonly Change[] {
  return scopes.flatMap((scope) => [
    ...(skill ? [] : named.length > 0 ? named : CLIENTS).flatMap((client) =>
      planClient(client, place, { scope, launch: undefined }),
    ),
    ...(named.length > 0 ? [] : planSkill(place, scope, true)),
  ]);
}

function scopeOf(word: string): Scope {
  return SCOPES.find((name) => name === word) ?? wrong('--scope must be user or project.');
}

function namedClients(names: readonly string[]): readonly Client[] {
  const wanted = names.flatMap((list) => list.split(',')).map((name) => name.trim());
  for (const name of wanted)
    if (!CLIENTS.some((client) => client.name === name))
      wrong(
        `Unknown client '${name}'. Choose one of: ${CLIENT_NAMES.join(', ')}. In any other client, add a server that runs \`pinhole mcp\`.`,
      );
  return CLIENTS.filter(({ name }) => wanted.includes(name));
}

function show(changes: readonly Change[], removal: boolean): void {
  const shown = removal ? changes.filter(({ what }) => what !== 'nothing') : changes;
  for (const { client, file, what, before, entries, reason } of shown) {
    const state = {
      add: before === undefined ? 'new file' : 'add',
      update: 'update',
      remove: 'remove',
      nothing: dim('nothing to change'),
      refused: red(`left alone: ${reason}`),
    }[what];
    print(`${bold(client.title.padEnd(12))} ${short(file)}  ${state}`);
    if (what === 'refused' || what === 'nothing' || entries === undefined) continue;
    for (const line of entryDiff(entries.before, entries.after)) print(`    ${colored(redact(line))}`);
  }
  if (removal && shown.length === 0) print('No settings have Pinhole.');
}

function showOthers(changes: readonly Change[], named: readonly Client[], scope: Scope): void {
  if (changes.length === 0) print('No clients were found for this user.');
  // Somebody who named clients knows that there are others.
  if (named.length > 0) return;
  const place = thisPlace();
  const others = CLIENTS.filter(
    (client) => !changes.some((change) => change.client === client) && client.files(place, scope).length > 0,
  );
  if (others.length > 0)
    print(
      dim(
        `Not found: ${others.map(({ title }) => title).join(', ')}. To set one up anyway: pinhole setup --client ${others[0]?.name}${scope === 'user' ? '' : ` --scope ${scope}`}`,
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
  if (await agrees(`\nChange ${countOf(count, 'file')}? A backup of each is kept.`)) return true;
  print('Nothing was changed.');
  return false;
}

function write(change: Change): boolean {
  const { client, scope, file, what } = change;
  try {
    const backup = applyChange(change, Date.now(), join(dataFolder(), 'backups'));
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
  return path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function wrong(message: string): never {
  throw new PinholeError('invalid_parameter', message);
}
