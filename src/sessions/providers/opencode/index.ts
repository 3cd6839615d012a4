import { join } from 'node:path';
import { idOfStored } from '../../read/stored.ts';
import { namesIn } from '../agent-files.ts';
import type { Provider } from '../provider.ts';
import { opencodeFields } from './opencode-fields.ts';
import { opencodeDiff, opencodeTools, readOpencodeRecord } from './opencode-records.ts';
import { opencodeStore, opencodeTitles } from './opencode-store.ts';

/** What opencode and its forks have in common. */
function openCodeLike(
  {
    id,
    title,
    mark,
    colour,
    aliases,
    resume,
  }: Pick<Provider, 'id' | 'title' | 'mark' | 'colour' | 'aliases' | 'resume'>,
  folder: string,
): Provider {
  return {
    id,
    title,
    aliases: aliases ?? [],
    mark,
    colour,
    ...(resume === undefined ? {} : { resume }),

    variables: ['XDG_DATA_HOME'],
    logFolders: (env, home) => [join(env.XDG_DATA_HOME || join(home, '.local', 'share'), folder)],
    logEndings: ['.db', '.json'],
    otherFiles: /^(?!ses_[^/]*\.json$|(?:opencode|kilo)[^/]*\.db$)/,
    otherFolders: ['snapshot', 'log', 'repos', 'bin', 'message', 'part', 'session_diff', 'todo', 'project'],
    place: (path) => ({ id: idOfStored(path) }),

    store: opencodeStore,
    read: readOpencodeRecord,
    fields: opencodeFields,
    tools: opencodeTools,
    recordedDiff: opencodeDiff,

    sideFacts(folders) {
      const titles = new Map<string, string>();
      for (const folder of folders)
        for (const name of namesIn(folder).filter((one) => one.endsWith('.db'))) {
          const file = join(folder, name);
          try {
            for (const [session, named] of opencodeTitles(file)) titles.set(session, named);
          } catch {
            // The scan has already reported it, with a better reason.
          }
        }
      return { titles, parents: new Map() };
    },
  };
}

/** Sessions: `~/.local/share/opencode/opencode.db`, before version 1.2 `storage/session/<project>/<id>.json`. */
export const opencode = openCodeLike(
  {
    ...{ id: 'opencode', title: 'opencode', mark: 'O', colour: 'var(--text-1)', aliases: ['open code'] },
    resume: 'opencode --session {id}',
  },
  'opencode',
);

/** Kilo CLI is a fork of opencode: `~/.local/share/kilo/kilo.db` has the same tables. */
export const kilo = openCodeLike(
  { id: 'kilo', title: 'Kilo CLI', mark: 'K', colour: 'var(--text-1)', aliases: ['kilo code', 'kilo'] },
  'kilo',
);
