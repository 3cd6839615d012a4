import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { SessionScope } from '../contract/caller.ts';
import { systemCode } from '../contract/errors.ts';
import { isObject } from '../contract/guards.ts';
import type { Client, Launch, Scope } from './client.ts';
import { entryWords, isUnpinned, missingPart } from './launch.ts';
import type { Place } from './place.ts';
import { readSettings } from './read-settings.ts';
import { type Entry, type EntryPath, entryIn, SERVER_NAME, UnusableSettings } from './settings-format.ts';

/** What would happen to one settings file. */
export interface Change {
  /** The client, or what else setup writes. */
  readonly client: Pick<Client, 'title' | 'next'>;
  readonly scope: Scope;
  readonly file: string;
  readonly what: 'add' | 'update' | 'remove' | 'nothing' | 'refused';
  /** The current text; undefined if there is no file yet. */
  readonly before: string | undefined;
  /** Undefined: nothing but Pinhole was in the file, so it is deleted. */
  readonly after: string | undefined;
  /** The keys that setup writes, as they are and as they will be; nothing else of the file. */
  readonly entries?: { readonly before: Entry | undefined; readonly after: Entry | undefined };
  /** Why it was left alone. */
  readonly reason?: string;
}

export interface SetupRequest {
  readonly scope: Scope;
  /** Undefined: remove Pinhole. */
  readonly launch: Launch | undefined;
  /** The sessions that agents may see; undefined: as it was set up before, otherwise all. */
  readonly sessions?: SessionScope | undefined;
  /** A working entry stays as it is. */
  readonly keepWorking?: boolean;
}

/** Plans the changes for one client without making any. */
export function planClient(client: Client, place: Place, request: SetupRequest): readonly Change[] {
  return client.files(place, request.scope).flatMap((names) => {
    const existing = names.filter((name) => existsSync(name));
    if (request.launch === undefined) return existing.map((file) => planFile(client, file, place, request));
    const file = existing.find((name) => pathsIn(client, name).length > 0) ?? existing[0] ?? names[0] ?? '';
    return [planFile(client, file, place, request)];
  });
}

/** Where entries for Pinhole are in a settings file; none if it cannot be read. */
function pathsIn(client: Client, file: string): readonly EntryPath[] {
  try {
    return entryPaths(client, client.format.parse(textOf(readSettings(file))));
  } catch {
    return [];
  }
}

/** Where entries for Pinhole are in some settings. */
export function entryPaths(
  client: Client,
  settings: Readonly<Record<string, unknown>>,
): readonly EntryPath[] {
  return [[client.container, SERVER_NAME], ...(client.elsewhere?.(settings) ?? [])].filter(
    (path) => entryIn(settings, path) !== undefined,
  );
}

function planFile(client: Client, file: string, place: Place, request: SetupRequest): Change {
  const base = { client, scope: request.scope, file };
  let before: string | undefined;
  try {
    before = readSettings(file);
    const text = textOf(before);
    const mark = before?.startsWith('\ufeff') ? '\ufeff' : '';
    const data = client.format.parse(text);
    const path: EntryPath = [client.container, SERVER_NAME];
    const current = entryIn(data, path);
    const wanted = request.launch && wantedEntry(client, current, request.launch, request.sessions);
    const paths = wanted === undefined ? entryPaths(client, data) : [path];
    const keeps = wanted !== undefined && request.keepWorking === true && works(current, place);
    const after = keeps
      ? text
      : wanted === undefined
        ? paths.reduce((rest, each) => client.format.remove(rest, each), text)
        : client.format.set(text, path, wanted);
    if (after === text) return { ...base, what: 'nothing', before, after: before };
    checkOnlyEntriesChanged(client, data, after, paths, wanted);
    return {
      ...base,
      what: wanted === undefined ? 'remove' : current === undefined ? 'add' : 'update',
      before,
      after: isBare(client, after) && wanted === undefined ? undefined : mark + after,
      entries: { before: ownKeys(client, current ?? entryIn(data, paths[0] ?? path)), after: wanted },
    };
  } catch (error) {
    const reason = error instanceof UnusableSettings ? error.message : systemCode(error);
    if (reason === undefined) throw error;
    return { ...base, what: 'refused', before, after: before, reason };
  }
}

/** The entry to write. Switches and flags that a person set stay. */
function wantedEntry(
  client: Client,
  current: Readonly<Record<string, unknown>> | undefined,
  launch: Launch,
  sessions: SessionScope | undefined,
): Entry {
  const entry = client.entry(withSessions(keepFlags(current, launch), sessions));
  if (current === undefined) return entry;
  return Object.fromEntries(
    Object.entries(entry).filter(([key]) => !(client.initial?.includes(key) && key in current)),
  );
}

/** Flags that a person added after `mcp`, such as `--toolsets code`, are kept when the command changes. */
function keepFlags(current: Readonly<Record<string, unknown>> | undefined, launch: Launch): Launch {
  const old = entryWords(current ?? {});
  const flags = old.slice(old.lastIndexOf('mcp') + 1);
  return !old.includes('mcp') || launch.args.at(-1) !== 'mcp'
    ? launch
    : { command: launch.command, args: [...launch.args, ...flags] };
}

function withSessions(launch: Launch, sessions: SessionScope | undefined): Launch {
  if (sessions === undefined) return launch;
  const at = launch.args.indexOf('--sessions');
  const args = at < 0 ? launch.args : [...launch.args.slice(0, at), ...launch.args.slice(at + 2)];
  return { ...launch, args: sessions === 'all' ? args : [...args, '--sessions', sessions] };
}

function works(entry: Readonly<Record<string, unknown>> | undefined, place: Place): boolean {
  if (entry === undefined) return false;
  const words = entryWords(entry);
  return words.length > 0 && missingPart(words, place) === undefined && !isUnpinned(words);
}

/** The keys of an entry that setup writes; others, such as `env`, are a person's own and can be secret. */
function ownKeys(client: Client, entry: Readonly<Record<string, unknown>> | undefined): Entry | undefined {
  if (entry === undefined) return undefined;
  const keys = Object.keys(client.entry({ command: '', args: [] }));
  // The values come from the same keys of a parsed entry; others are left out.
  return Object.fromEntries(
    Object.entries(entry).flatMap(([key, value]) =>
      keys.includes(key) && (typeof value !== 'object' || Array.isArray(value)) ? [[key, value]] : [],
    ),
  ) as Entry;
}

/** The last line of defence: parses the result again and checks that nothing but our entries differs. */
function checkOnlyEntriesChanged(
  client: Client,
  before: Readonly<Record<string, unknown>>,
  after: string,
  paths: readonly EntryPath[],
  wanted: Entry | undefined,
): void {
  const data = parseResult(client, after);
  const isThere = paths.every((path) => {
    const entry = data && entryIn(data, path);
    return wanted === undefined
      ? entry === undefined
      : Object.entries(wanted).every(([key, value]) => isDeepStrictEqual(entry?.[key], value));
  });
  if (data === undefined || !isThere || !isDeepStrictEqual(without(before, paths), without(data, paths)))
    throw new UnusableSettings('it is written in a way that cannot be edited safely. Add the entry by hand');
}

/** The planned text as data. A fault there is ours, so the file is not blamed for it. */
function parseResult(client: Client, after: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return client.format.parse(after);
  } catch (error) {
    if (error instanceof UnusableSettings) return undefined;
    throw error;
  }
}

function without(
  data: Readonly<Record<string, unknown>>,
  paths: readonly EntryPath[],
): Readonly<Record<string, unknown>> {
  return paths.reduce((rest, path) => withoutEntry(rest, path), data);
}

function withoutEntry(
  data: Readonly<Record<string, unknown>>,
  [key = '', ...deeper]: EntryPath,
): Readonly<Record<string, unknown>> {
  const { [key]: inner, ...others } = data;
  if (deeper.length === 0) return others;
  if (!isObject(inner)) return { ...data };
  const rest = withoutEntry(inner, deeper);
  return Object.keys(rest).length === 0 ? others : { ...others, [key]: rest };
}

/** Whether a settings text says nothing, not even in a comment. */
function isBare(client: Client, text: string): boolean {
  return /^\s*(\{\s*\})?\s*$/.test(text) && Object.keys(client.format.parse(text)).length === 0;
}

function textOf(text: string | undefined): string {
  return (text ?? '').replace(/^\ufeff/, '');
}
