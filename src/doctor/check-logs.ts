import { statSync } from 'node:fs';
import { countOf, countText, dayText, sizeText } from '../contract/format.ts';
import { DAY_MS } from '../contract/time.ts';
import { findLogs, type LogFile, logFolders } from '../sessions/providers/find.ts';
import { type Retention, readRetention } from '../sessions/store/retention.ts';
import type { Finding } from './doctor-finding.ts';

const SOON_MS = 7 * DAY_MS;
const CLAUDE_FIX = 'set "cleanupPeriodDays": 3650 in ~/.claude/settings.json';
const GEMINI_FIX = 'raise general.sessionRetention.maxAge in ~/.gemini/settings.json';

interface Log extends LogFile {
  readonly bytes: number;
  readonly changed: number;
}

/** Reports the session logs that were found, and those that their agent deletes soon. */
export function checkLogs(env: NodeJS.ProcessEnv, now: number): readonly Finding[] {
  const logs = findLogs(logFolders(env)).flatMap(withFacts);
  if (logs.length === 0)
    return [
      {
        check: 'logs',
        state: 'warn',
        text: 'no session logs of Claude Code, Codex or Gemini CLI were found',
        fix: 'if your logs are elsewhere, set CLAUDE_CONFIG_DIR, CODEX_HOME or GEMINI_CLI_HOME',
      },
    ];
  const byFolder = logFolders(env).flatMap(({ provider, path }): Finding[] => {
    const own = logs.filter((log) => log.path.startsWith(path));
    if (own.length === 0) return [];
    const bytes = own.reduce((sum, log) => sum + log.bytes, 0);
    const text = `${provider}: ${countOf(own.length, 'log')}, ${sizeText(bytes)} in ${path}`;
    return [{ check: 'logs', state: 'ok', text }];
  });
  return [...byFolder, ...checkRetention(logs, readRetention(logFolders(env)), now)];
}

function checkRetention(logs: readonly Log[], retention: Retention, now: number): readonly Finding[] {
  return retention.flatMap(({ provider, folder, ms }): readonly Finding[] => {
    const own = logs.filter((log) => log.path.startsWith(`${folder}/`));
    if (own.length === 0) return [];
    const soon = own.map((log) => log.changed + ms).filter((end) => end - now <= SOON_MS);
    const rule = `${provider} deletes logs after ${Math.round(ms / DAY_MS)} days`;
    if (soon.length === 0) return [{ check: 'retention', state: 'ok', text: `${rule}; none within a week` }];
    return [
      {
        check: 'retention',
        state: 'warn',
        text: `${rule}: ${countText(soon.length)} within a week, the first ${dayText(Math.min(...soon))}`,
        fix: `keep copies with pinhole sessions archive on, or ${provider === 'claude_code' ? CLAUDE_FIX : GEMINI_FIX}`,
      },
    ];
  });
}

function withFacts(log: LogFile): readonly Log[] {
  const facts = statSync(log.path, { throwIfNoEntry: false });
  return facts === undefined ? [] : [{ ...log, bytes: facts.size, changed: facts.mtimeMs }];
}
