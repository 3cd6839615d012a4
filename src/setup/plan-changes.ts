import { existsSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { systemCode } from '../contract/errors.ts';
import { isObject } from '../contract/guards.ts';
import type { Client, Launch, Scope } from './clients.ts';
import type { Place } from './place.ts';
import { type Entry, type EntryPath, UnusableSettings } from './settings-format.ts';

export const SERVER_NAME = 'pinhole';

/** What would happen to one settings file. */
export interface Change {
  readonly client: Client;
  readonly scope: Scope;
  readonly file: string;
  readonly what: 'add' | 'update' | 'remove' | 'nothing' | 'refused';
  /** The current text; undefined if there is no file yet. */
  readonly before: string | undefined;
  readonly after: string;
  /** Why it was left alone. */
  readonly reason?: string;
}

export interface SetupRequest {
  readonly scope: Scope;
  /** Undefined: remove Pinhole. */
  readonly launch: Launch | undefined;
}

/** Plans the changes for one client without making any. */
export function planClient(client: Client, place: Place, request: SetupRequest): readonly Change[] {
  return client.files(place, request.scope).map((names) => {
    const existing = names.filter((name) => existsSync(name));
    const file = existing.find((name) => hasPinhole(client, name)) ?? existing[0] ?? names[0] ?? '';
    return planFile(client, file, request);
  });
}

/** Whether this settings file, of several that a client reads, already has an entry for Pinhole. */
function hasPinhole(client: Client, file: string): boolean {
  try {
    return entryIn(client.format.parse(readText(file) ?? ''), [client.container, SERVER_NAME]) !== undefined;
  } catch {
    return false;
  }
}

function planFile(client: Client, file: string, { scope, launch }: SetupRequest): Change {
  const path: EntryPath = [client.container, SERVER_NAME];
  let before: string | undefined;
  try {
    before = readText(file);
    const text = (before ?? '').replace(/^\ufeff/, '');
    const mark = before?.startsWith('\ufeff') ? '\ufeff' : '';
    const data = client.format.parse(text);
    const current = entryIn(data, path);
    const wanted = launch && client.entry(keepFlags(current, launch));
    const after =
      wanted === undefined ? client.format.remove(text, path) : client.format.set(text, path, wanted);
    if (after === text) return { client, scope, file, what: 'nothing', before, after: mark + after };
    checkOnlyEntryChanged(client, data, after, path, wanted);
    const what = wanted === undefined ? 'remove' : current === undefined ? 'add' : 'update';
    return { client, scope, file, what, before, after: mark + after };
  } catch (error) {
    const reason = error instanceof UnusableSettings ? error.message : systemCode(error);
    if (reason === undefined) throw error;
    return { client, scope, file, what: 'refused', before, after: before ?? '', reason };
  }
}

/** The entry for Pinhole in some settings, or undefined. */
export function entryIn(
  data: Readonly<Record<string, unknown>>,
  [container, name]: EntryPath,
): Readonly<Record<string, unknown>> | undefined {
  const servers = data[container];
  const entry = isObject(servers) ? servers[name] : undefined;
  return isObject(entry) ? entry : undefined;
}

/** Flags that a person added after `mcp`, such as `--toolsets code`, are kept when the command changes. */
function keepFlags(current: Readonly<Record<string, unknown>> | undefined, launch: Launch): Launch {
  const old = [current?.command, current?.args].flat().filter((word) => typeof word === 'string');
  const flags = old.slice(old.lastIndexOf('mcp') + 1);
  return !old.includes('mcp') || launch.args.at(-1) !== 'mcp'
    ? launch
    : { command: launch.command, args: [...launch.args, ...flags] };
}

/** The last line of defence: parses the result again and checks that nothing but our entry differs. */
function checkOnlyEntryChanged(
  client: Client,
  before: Readonly<Record<string, unknown>>,
  after: string,
  path: EntryPath,
  wanted: Entry | undefined,
): void {
  const data = client.format.parse(after);
  const entry = entryIn(data, path);
  const isThere =
    wanted === undefined
      ? entry === undefined
      : Object.entries(wanted).every(([key, value]) => isDeepStrictEqual(entry?.[key], value));
  if (!isThere || !isDeepStrictEqual(withoutEntry(before, path), withoutEntry(data, path)))
    throw new UnusableSettings('it is written in a way that cannot be edited safely. Add the entry by hand');
}

function withoutEntry(
  data: Readonly<Record<string, unknown>>,
  [container, name]: EntryPath,
): Readonly<Record<string, unknown>> {
  const { [container]: servers, ...others } = data;
  if (!isObject(servers)) return { ...data };
  const { [name]: _, ...rest } = servers;
  return Object.keys(rest).length === 0 ? others : { ...others, [container]: rest };
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
