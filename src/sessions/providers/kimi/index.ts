import { basename, dirname, join } from 'node:path';
import { filled, type JsonObject, object, parseJson } from '../../model/log-json.ts';
import { readSmall } from '../agent-files.ts';
import type { LogPlace, Provider } from '../provider.ts';
import { kimiFields } from './kimi-fields.ts';
import { kimiTools, readKimiRecord } from './kimi-records.ts';

/** Logs: `~/.kimi-code/sessions/<folder>/<session>/agents/<agent>/wire.jsonl`, described by `<session>/state.json`. */
export const kimi: Provider = {
  id: 'kimi',
  title: 'Kimi Code',
  aliases: ['kimi cli', 'kimi code'],
  mark: 'I',
  colour: 'var(--text-2)',

  variables: ['KIMI_CODE_HOME'],
  logFolders: (env, home) => [join(env.KIMI_CODE_HOME || join(home, '.kimi-code'), 'sessions')],
  logEndings: ['wire.jsonl'],
  otherFolders: ['file-history', 'logs', '.index-cache', '.index-dirty', 'blobs', 'tasks'],
  place(path, readAt) {
    const agent = basename(dirname(path));
    const session = basename(dirname(dirname(dirname(path))));
    const state = object(parseJson(readSmall(stateFile(readAt)) ?? ''));
    return agentPlace(session, agent, state);
  },

  unrecorded: { reasoning: 'always' },
  read: readKimiRecord,
  fields: kimiFields,
  tools: kimiTools,
  sideFiles: (log) => [stateFile(log)],
};

function stateFile(log: string): string {
  return join(dirname(dirname(dirname(log))), 'state.json');
}

/** The main agent is the session; the others are its subagents. */
function agentPlace(session: string, agent: string, state: JsonObject): LogPlace {
  const cwd = filled(state.cwd);
  if (agent === 'main') return { id: session, cwd, archived: state.archived === true };
  const about = object(object(state.agents)[agent]);
  const parent = filled(about.parentAgentId) ?? 'main';
  return {
    id: `${session}.${agent}`,
    cwd,
    parentId: parent === 'main' ? session : `${session}.${parent}`,
    agentName: filled(object(about.labels).profileName),
  };
}
