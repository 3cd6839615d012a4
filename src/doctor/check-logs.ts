import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { errorText } from '../contract/errors.ts';
import { countOf, countText, sizeText } from '../contract/format.ts';
import { isInside } from '../contract/inside.ts';
import { DAY_MS } from '../contract/time.ts';
import { localDay, ownZone } from '../contract/zone.ts';
import { answeringFolders, type Patience } from '../sessions/ingest/answering-folders.ts';
import { PROVIDERS, providerWith } from '../sessions/providers/index.ts';
import { findLogs, type LogFile, type LogFolder, logFolders } from '../sessions/providers/log-files.ts';
import { UnknownLog } from '../sessions/providers/log-writer.ts';
import { unseenNote } from '../sessions/providers/provider.ts';
import { unreadFolders } from '../sessions/providers/unread-folders.ts';
import { fileOfStored } from '../sessions/read/stored.ts';
import { type RetentionRules, readRetention } from '../sessions/store/retention.ts';
import type { Finding } from './doctor-finding.ts';

const SOON_MS = 7 * DAY_MS;
const either = new Intl.ListFormat('en-GB', { type: 'disjunction' });

interface Log extends LogFile {
  readonly bytes: number;
  readonly changed: number;
}

/** Reports the session logs that were found, and those that their agent deletes soon. */
export async function checkLogs(
  env: NodeJS.ProcessEnv,
  now: number,
  patience?: Patience,
): Promise<readonly Finding[]> {
  const unreadable: Finding[] = [];
  const unknown: string[] = [];
  const report = (path: string, error: unknown) => {
    if (error instanceof UnknownLog) unknown.push(path);
    else unreadable.push({ check: 'logs', state: 'warn', text: `cannot read ${path}: ${errorText(error)}` });
  };
  const folders = await answeringFolders(logFolders(PROVIDERS, env), report, patience);
  const found = findLogs(PROVIDERS, folders, report);
  const logs = found.flatMap(withFacts);
  const strays = logs.filter(
    (log) => !folders.some(({ provider, path }) => provider === log.provider && isInside(log.path, path)),
  );
  const others = [
    ...unreadable,
    ...folders.flatMap((folder) => [...foreignLogs(folder, strays), ...unknownLogs(folder, unknown)]),
    ...unread(env.HOME || homedir()),
  ];
  if (logs.length === 0)
    return [
      ...others,
      {
        check: 'logs',
        state: 'warn',
        text: `no session logs of ${either.format(PROVIDERS.map(({ title }) => title))} were found`,
        fix: `if your logs are elsewhere, set ${either.format([...new Set(PROVIDERS.flatMap(({ variables }) => variables))])}`,
      },
    ];
  const byFolder = folders.flatMap(({ provider, path }): Finding[] => {
    const own = logs.filter((log) => log.provider === provider && isInside(log.path, path));
    if (own.length === 0) return [];
    // Sessions in one database share its bytes.
    const bytes = [
      ...new Map(own.map((log) => [fileOfStored(log.path) ?? log.path, log.bytes])).values(),
    ].reduce((sum, size) => sum + size, 0);
    const agent = providerWith(PROVIDERS, provider);
    const note = agent === undefined ? undefined : unseenNote(agent);
    const text = `${agent?.title}: ${countOf(own.length, 'log')}, ${sizeText(bytes)} in ${path}${note === undefined ? '' : ` (${note})`}`;
    return [{ check: 'logs', state: 'ok', text }];
  });
  return [...byFolder, ...others, ...checkRetention(logs, readRetention(PROVIDERS, folders), now)];
}

/** Logs of other agents in the folder of one. */
function foreignLogs(folder: LogFolder, strays: readonly Log[]): readonly Finding[] {
  const owner = providerWith(PROVIDERS, folder.provider);
  return PROVIDERS.filter((provider) => provider !== owner).flatMap(({ id, title }): readonly Finding[] => {
    const [first, ...rest] = strays.filter((log) => log.provider === id && isInside(log.path, folder.path));
    if (first === undefined) return [];
    const text =
      rest.length === 0
        ? `${first.path} is in the folder of ${owner?.title}, but is a log of ${title} and read as such`
        : `${countOf(rest.length + 1, 'log')} in ${folder.path}, the folder of ${owner?.title}, are logs of ${title} and read as such, e.g. ${first.path}`;
    return [{ check: 'logs', state: 'ok', text }];
  });
}

/** Files in the folder of an agent that no known agent writes. */
function unknownLogs({ path, provider }: LogFolder, unknown: readonly string[]): readonly Finding[] {
  const [first, ...rest] = unknown.filter((file) => isInside(file, path));
  if (first === undefined) return [];
  const agents = `${providerWith(PROVIDERS, provider)?.title} or another agent that Pinhole knows`;
  const text =
    rest.length === 0
      ? `${first} is not read: its records are not those of ${agents}`
      : `${countOf(rest.length + 1, 'file')} in ${path} are not read: their records are not those of ${agents}, e.g. ${first}`;
  return [{ check: 'logs', state: 'warn', text }];
}

/** Logs of agents that Pinhole does not read: nobody should believe that they are searched. */
function unread(home: string): readonly Finding[] {
  return unreadFolders(home).map(({ title, path }) => ({
    check: 'logs',
    state: 'ok',
    text: `${title}: logs in ${path} are not read`,
  }));
}

function checkRetention(logs: readonly Log[], rules: RetentionRules, now: number): readonly Finding[] {
  return rules.flatMap(({ provider, folder, ms }): readonly Finding[] => {
    const own = logs.filter((log) => isInside(log.path, folder));
    if (own.length === 0) return [];
    const soon = own.map((log) => log.changed + ms).filter((end) => end - now <= SOON_MS);
    const rule = `${provider.title} deletes logs after ${countOf(Math.round(ms / DAY_MS), 'day')}`;
    if (soon.length === 0) return [{ check: 'retention', state: 'ok', text: `${rule}; none within a week` }];
    return [
      {
        check: 'retention',
        state: 'warn',
        text: `${rule}: ${countText(soon.length)} within a week, the first ${localDay(Math.min(...soon), ownZone())}`,
        fix: ['keep copies with pinhole sessions archive on', provider.keepLonger]
          .filter(Boolean)
          .join(', or '),
      },
    ];
  });
}

function withFacts(log: LogFile): readonly Log[] {
  const facts = statSync(fileOfStored(log.path) ?? log.path, { throwIfNoEntry: false });
  const changed = log.stamp?.mtimeMs ?? facts?.mtimeMs ?? 0;
  return facts === undefined ? [] : [{ ...log, bytes: facts.size, changed }];
}
