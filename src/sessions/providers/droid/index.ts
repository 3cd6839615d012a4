import { basename, dirname, join } from 'node:path';
import { count, filled, type JsonObject, list, object, parseJson } from '../../model/log-json.ts';
import { readSmall } from '../agent-files.ts';
import type { LogPlace, Provider } from '../provider.ts';
import { droidFields, droidTools, readDroidRecord } from './droid-records.ts';

/**
 * Logs: `~/.factory/sessions/<folder>/<session>.jsonl`; `<session>.settings.json` beside them has the tokens, and
 * `~/.factory/task-invocations.json` the parents of subagents.
 */
export const droid: Provider = {
  id: 'droid',
  title: 'Droid',
  aliases: ['factory', 'factory droid'],
  mark: 'D',
  colour: 'var(--text-2)',

  variables: [],
  logFolders: (_env, home) => [join(home, '.factory', 'sessions')],
  logEndings: ['.jsonl'],
  place(path, readAt) {
    const settings = object(parseJson(readSmall(settingsFile(readAt)) ?? ''));
    const model = filled(settings.model);
    return {
      id: basename(path, '.jsonl'),
      model,
      clientUsage: usageIn(object(settings.tokenUsage), model ?? 'unknown'),
    };
  },

  unrecorded: { reasoning: 'sometimes' },
  read: readDroidRecord,
  fields: droidFields,
  tools: droidTools,
  sideFiles: (log) => [settingsFile(log)],
  sideFacts(folders) {
    const parents = new Map<string, string>();
    for (const folder of folders) {
      const tasks = object(parseJson(readSmall(join(dirname(folder), 'task-invocations.json')) ?? ''));
      for (const task of list(tasks.invocations).map(object)) {
        const [child, parent] = [filled(task.childSessionId), filled(task.parentSessionId)];
        if (child !== undefined && parent !== undefined) parents.set(child, parent);
      }
    }
    return { titles: new Map(), parents };
  },
};

function settingsFile(log: string): string {
  return join(dirname(log), `${basename(log, '.jsonl')}.settings.json`);
}

/** The tokens of the session: its responses have none. */
function usageIn(tokens: JsonObject, model: string): LogPlace['clientUsage'] {
  const usage = {
    input: count(tokens.inputTokens),
    cached: count(tokens.cacheReadTokens),
    cacheWrite: count(tokens.cacheCreationTokens),
    cacheWriteHour: 0,
    output: count(tokens.outputTokens),
    reasoning: count(tokens.thinkingTokens),
    tool: 0,
  };
  return Object.values(usage).every((number) => number === 0) ? undefined : { [model]: usage };
}
