import { statSync } from 'node:fs';
import { countOf, countText, sizeText } from '../contract/format.ts';
import { DAY_MS } from '../contract/time.ts';
import { localDay, ownZone } from '../contract/zone.ts';
import { PROVIDERS, providerWith } from '../sessions/providers/index.ts';
import { findLogs, type LogFile, logFolders } from '../sessions/providers/log-files.ts';
import { type RetentionRules, readRetention } from '../sessions/store/retention.ts';
import type { Finding } from './doctor-finding.ts';

const SOON_MS = 7 * DAY_MS;
const either = new Intl.ListFormat('en-GB', { type: 'disjunction' });

interface Log extends LogFile {
  readonly bytes: number;
  readonly changed: number;
}

/** Reports the session logs that were found, and those that their agent deletes soon. */
export function checkLogs(env: NodeJS.ProcessEnv, now: number): readonly Finding[] {
  const folders = logFolders(PROVIDERS, env);
  const logs = findLogs(PROVIDERS, folders).flatMap(withFacts);
  if (logs.length === 0)
    return [
      {
        check: 'logs',
        state: 'warn',
        text: `no session logs of ${either.format(PROVIDERS.map(({ title }) => title))} were found`,
        fix: `if your logs are elsewhere, set ${either.format(PROVIDERS.flatMap(({ variables }) => variables))}`,
      },
    ];
  const byFolder = folders.flatMap(({ provider, path }): Finding[] => {
    const own = logs.filter((log) => log.path.startsWith(`${path}/`));
    if (own.length === 0) return [];
    const bytes = own.reduce((sum, log) => sum + log.bytes, 0);
    const agent = providerWith(PROVIDERS, provider)?.title;
    const text = `${agent}: ${countOf(own.length, 'log')}, ${sizeText(bytes)} in ${path}`;
    return [{ check: 'logs', state: 'ok', text }];
  });
  return [...byFolder, ...checkRetention(logs, readRetention(PROVIDERS, folders), now)];
}

function checkRetention(logs: readonly Log[], rules: RetentionRules, now: number): readonly Finding[] {
  return rules.flatMap(({ provider, folder, ms }): readonly Finding[] => {
    const own = logs.filter((log) => log.path.startsWith(`${folder}/`));
    if (own.length === 0) return [];
    const soon = own.map((log) => log.changed + ms).filter((end) => end - now <= SOON_MS);
    const rule = `${provider.title} deletes logs after ${Math.round(ms / DAY_MS)} days`;
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
  const facts = statSync(log.path, { throwIfNoEntry: false });
  return facts === undefined ? [] : [{ ...log, bytes: facts.size, changed: facts.mtimeMs }];
}
