import { basename, dirname, join } from 'node:path';
import { idOfStored, isStored } from '../../read/stored.ts';
import { namesIn } from '../agent-files.ts';
import type { Provider } from '../provider.ts';
import { OPENCLAW_DATABASE, openclawStore, openclawTitles } from './openclaw-store.ts';
import { piFields } from './pi-fields.ts';
import { piTools, readPiRecord } from './pi-records.ts';

/** What pi and the programs based on it have in common. */
function piLike(
  shown: Pick<Provider, 'id' | 'title' | 'mark' | 'colour' | 'aliases' | 'variables' | 'logFolders'>,
): Provider {
  return {
    ...shown,
    logEndings: ['.jsonl'],
    otherFiles: /(?:\.trajectory\.jsonl|\.deleted\..*|\.reset\..*)$/,
    otherFolders: ['blobs', 'artifacts'],
    place(path) {
      // `<time>_<uuid>.jsonl`, or the uuid alone.
      const id = /(?:^|_)([0-9a-f]{8}-[0-9a-f-]{27})\.jsonl$/.exec(basename(path))?.[1];
      if (id !== undefined) return { id };
      // oh-my-pi: a subagent has a name, and is in a folder named like the log of its session.
      const parentId = /_([0-9a-f]{8}-[0-9a-f-]{27})$/.exec(basename(dirname(path)))?.[1];
      return parentId === undefined ? {} : { parentId, agentName: basename(path, '.jsonl') };
    },
    unrecorded: { reasoning: 'sometimes' },
    read: readPiRecord,
    fields: piFields,
    tools: piTools,
    // Forks copy entries with their ids.
    copyKey: (line) => /"id":"([^"]+)"/.exec(line)?.[1],
  };
}

/** Logs: `~/.pi/agent/sessions/--<folder>--/<time>_<session>.jsonl`. */
export const pi = piLike({
  id: 'pi',
  title: 'pi',
  aliases: ['pi coding agent'],
  mark: 'π',
  colour: 'var(--text-2)',
  variables: ['PI_CODING_AGENT_DIR'],
  logFolders: (env, home) => [join(env.PI_CODING_AGENT_DIR || join(home, '.pi', 'agent'), 'sessions')],
});

/** oh-my-pi writes the same lines: `~/.omp/agent/sessions`. */
export const omp = piLike({
  id: 'omp',
  title: 'oh-my-pi',
  aliases: ['omp'],
  mark: 'M',
  colour: 'var(--text-2)',
  variables: [],
  logFolders: (_env, home) => [join(home, '.omp', 'agent', 'sessions')],
});

/**
 * OpenClaw has the same lines: in `~/.openclaw/agents/<agent>/agent/openclaw-agent.sqlite`, before version 2026.7.2 in
 * `~/.openclaw/agents/<agent>/sessions/<session>.jsonl`.
 */
const openclawLogs = piLike({
  id: 'openclaw',
  title: 'OpenClaw',
  aliases: [],
  mark: 'W',
  colour: 'var(--text-2)',
  variables: ['OPENCLAW_STATE_DIR'],
  logFolders(env, home) {
    const agents = join(env.OPENCLAW_STATE_DIR || join(home, '.openclaw'), 'agents');
    return namesIn(agents).flatMap((agent) =>
      ['agent', 'sessions'].map((folder) => join(agents, agent, folder)),
    );
  },
});

export const openclaw: Provider = {
  ...openclawLogs,
  logEndings: [...openclawLogs.logEndings, OPENCLAW_DATABASE],
  store: openclawStore,
  place: (path, readAt) => (isStored(path) ? { id: idOfStored(path) } : openclawLogs.place(path, readAt)),
  sideFacts(folders) {
    const titles = new Map<string, string>();
    for (const folder of folders.filter((one) => namesIn(one).includes(OPENCLAW_DATABASE)))
      try {
        for (const [session, title] of openclawTitles(join(folder, OPENCLAW_DATABASE)))
          titles.set(session, title);
      } catch {
        // The scan has already reported it, with a better reason.
      }
    return { titles, parents: new Map() };
  },
};
