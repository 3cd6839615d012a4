import { basename, dirname, join } from 'node:path';
import { filled, object, parseJson } from '../../model/log-json.ts';
import { readSmall } from '../agent-files.ts';
import type { Provider } from '../provider.ts';
import { clineFields, clineTools, readClineRecord } from './cline-records.ts';

/**
 * Logs: `~/.cline/data/sessions/<session>/<session>.messages.json`, one document, with `<session>.json` beside it. Those
 * of its subagents are in the same folder: `<agent>.messages.json`.
 */
export const cline: Provider = {
  id: 'cline',
  title: 'Cline',
  aliases: ['cline cli'],
  mark: 'N',
  colour: 'var(--text-2)',
  resume: 'cline --id {id}',

  variables: ['CLINE_DATA_DIR'],
  logFolders: (env, home) => [join(env.CLINE_DATA_DIR || join(home, '.cline', 'data'), 'sessions')],
  logEndings: ['.messages.json'],
  place(path, readAt) {
    const manifest = object(parseJson(readSmall(manifestFile(readAt)) ?? ''));
    const id = basename(path, '.messages.json');
    const session = basename(dirname(path));
    return {
      id,
      cwd: filled(manifest.cwd),
      model: filled(manifest.model),
      parentId: filled(manifest.parent_session_id) ?? (id === session ? undefined : session),
      agentName: filled(manifest.agent_name),
    };
  },

  unrecorded: { reasoning: 'always' },
  read: readClineRecord,
  fields: clineFields,
  tools: clineTools,
  sideFiles: (log) => [manifestFile(log)],
};

function manifestFile(log: string): string {
  return join(dirname(log), `${basename(dirname(log))}.json`);
}
