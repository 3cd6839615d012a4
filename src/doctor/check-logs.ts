import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { errorText } from '../contract/errors.ts';
import { countOf, countText, sizeText } from '../contract/format.ts';
import { isInside } from '../contract/inside.ts';
import { DAY_MS } from '../contract/time.ts';
import { localDay, ownZone } from '../contract/zone.ts';
import { answeringFolders, type Patience } from '../sessions/ingest/answering-folders.ts';
import { PROVIDERS, providerWith } from '../sessions/providers/index.ts';
import { findLogs, type LogFile, logFolders } from '../sessions/providers/log-files.ts';
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
  const report = (path: string, error: unknown) =>
    unreadable.push({ check: 'logs', state: 'warn', text: `cannot read ${path}: ${errorText(error)}` });
  const folders = await answeringFolders(logFolders(PROVIDERS, env), report, patience);
  const found = findLogs(PROVIDERS, folders, report);
  const logs = found.flatMap(withFacts);
  const others = [...unreadable, ...unread(env.HOME || homedir())];
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
    const own = logs.filter((log) => isInside(log.path, path));
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
