import { basename, dirname, join } from 'node:path';
import { namesIn, readSmall } from '../agent-files.ts';
import type { Provider } from '../provider.ts';
import { copilotFields } from './copilot-fields.ts';
import { copilotDiff, copilotTools, readCopilotRecord } from './copilot-records.ts';

/** Logs: `~/.copilot/session-state/<session>/events.jsonl`, older ones `session-state/<session>.jsonl`. */
export const copilot: Provider = {
  id: 'copilot',
  title: 'Copilot CLI',
  aliases: ['github copilot', 'copilot cli'],
  mark: 'P',
  colour: 'var(--text-2)',

  variables: ['COPILOT_HOME', 'XDG_STATE_HOME'],
  logFolders: (env, home) => [join(env.COPILOT_HOME || join(home, '.copilot'), 'session-state')],
  logEndings: ['.jsonl'],
  otherFolders: ['checkpoints', 'rewind-file-snapshots', 'files', 'research', '.session-operation-locks'],
  place(path) {
    const name = basename(path, '.jsonl');
    return { id: name === 'events' ? basename(dirname(path)) : name };
  },

  read: readCopilotRecord,
  fields: copilotFields,
  tools: copilotTools,
  recordedDiff: copilotDiff,

  sideFiles: (log) => [join(dirname(log), 'workspace.yaml')],
  sideFacts(folders) {
    const titles = new Map<string, string>();
    for (const folder of folders)
      for (const session of namesIn(folder)) {
        const named = nameIn(readSmall(join(folder, session, 'workspace.yaml')) ?? '');
        if (named !== undefined) titles.set(session, named);
      }
    return { titles, parents: new Map() };
  },
};

/** The name that a person gave the session; otherwise Copilot repeats the first prompt. */
function nameIn(yaml: string): string | undefined {
  if (!/^user_named: true$/m.test(yaml)) return undefined;
  return /^name: (.+)$/m.exec(yaml)?.[1]?.replace(/^(['"])(.*)\1$/, '$2');
}
