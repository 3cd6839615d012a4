import { basename, dirname, join } from 'node:path';
import { filled, object, parseJson } from '../../model/log-json.ts';
import { namesIn, readSmall } from '../agent-files.ts';
import type { Provider } from '../provider.ts';
import { grokFields, grokTools, readGrokRecord } from './grok-records.ts';

/** Logs: `~/.grok/sessions/<folder, encoded>/<session>/updates.jsonl`, described by `summary.json` beside them. */
export const grok: Provider = {
  id: 'grok',
  title: 'Grok Build',
  aliases: ['grok', 'grok cli'],
  mark: 'R',
  colour: 'var(--text-2)',
  resume: 'grok --resume {id}',

  variables: ['GROK_HOME'],
  logFolders: (env, home) => [join(env.GROK_HOME || join(home, '.grok'), 'sessions')],
  logEndings: ['updates.jsonl'],
  otherFolders: ['terminal', 'subagents'],
  place(path, readAt) {
    const summary = object(parseJson(readSmall(join(dirname(readAt), 'summary.json')) ?? ''));
    return {
      id: basename(dirname(path)),
      cwd: filled(object(summary.info).cwd) ?? decoded(basename(dirname(dirname(path)))),
      model: filled(summary.current_model_id),
      parentId: filled(summary.parent_session_id),
      ...(summary.session_kind === 'subagent' && {
        agentName: filled(summary.agent_name),
        // The turn that started it counts them too.
        usageInParent: true,
      }),
    };
  },

  read: readGrokRecord,
  fields: grokFields,
  tools: grokTools,

  sideFiles: (log) => [join(dirname(log), 'summary.json')],
  sideFacts(folders) {
    const titles = new Map<string, string>();
    const parents = new Map<string, string>();
    for (const folder of folders)
      for (const project of namesIn(folder))
        for (const session of namesIn(join(folder, project))) {
          const file = join(folder, project, session, 'summary.json');
          const title = filled(object(parseJson(readSmall(file) ?? '')).generated_title);
          if (title !== undefined) titles.set(session, title);
          for (const child of namesIn(join(folder, project, session, 'subagents')))
            parents.set(child, session);
        }
    return { titles, parents };
  },
};

function decoded(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}
