import { exactInput } from '../code/exact-question.ts';
import { call } from '../data/call.ts';
import { countOf, sizeText } from '../ui/format.ts';
import { shortTime } from '../ui/time.tsx';
import { pageLinks } from './router.ts';
import type { Suggestion } from './suggestions.ts';

const SHOWN = 4;
const MAX_FOLDERS = 4;
const MAX_INDEXES = 3;

type Find = (text: string, signal: AbortSignal) => Promise<readonly Suggestion[]>;

/** The best places in all indexed folders; typing must not start to index one. */
export const codeSuggestions: Find = async (text, signal) => {
  const { data } = await call('code_indexes', { limit: 20 }, { signal });
  const folders = data.indexes.filter(({ semantic }) => semantic !== undefined).slice(0, MAX_FOLDERS);
  const found = await Promise.all(
    folders.map(async ({ root: path }) => {
      const input = { query: text, path, limit: SHOWN, include_snippet: false };
      const [answer, named] = await Promise.all([
        call('hybrid_search', input, { signal }).catch(() => undefined),
        hasName(text, path, signal),
      ]);
      // A name that is nowhere in the folder has only similar places there, and Enter opens the first one.
      return (named ? (answer?.data.matches ?? []) : []).map((match) => ({
        ...match,
        root: answer?.data.root ?? path,
      }));
    }),
  );
  return found
    .flat()
    .sort((a, b) => b.score - a.score)
    .slice(0, SHOWN)
    .map(({ root, path, line_start, symbol }) => ({
      href: pageLinks.code({ q: text, path: root, file: `${root}/${path}`, line: line_start }),
      label: symbol === undefined ? `${path}:${line_start}` : `${symbol}  ${path}:${line_start}`,
      detail: root.split('/').at(-1) ?? root,
      icon: 'code',
    }));
};

/** False for a name that is nowhere in a folder. */
async function hasName(text: string, path: string, signal: AbortSignal): Promise<boolean> {
  const input = exactInput(text, path);
  if (input === undefined) return true;
  const answer = await call('regex_search', input, { signal }).catch(() => undefined);
  return answer === undefined || (answer.data.matches ?? []).length > 0;
}

/** Sessions in which a person asked for it, newest first. */
export const sessionSuggestions: Find = async (text, signal) => {
  const { data } = await call(
    'search_event_previews',
    { query: text, event_type: 'user', limit: 20 },
    { signal },
  );
  const first = new Map(data.matches.map((match) => [match.session_id, match] as const).reverse());
  return [...first.values()]
    .reverse()
    .slice(0, SHOWN)
    .map((match) => ({
      href: pageLinks.session(match.session_id, { turn: match.turn_index, find: text }),
      label: match.preview,
      detail: shortTime(match.timestamp),
      icon: 'sessions',
    }));
};

/** Files and folders with such a name, in the largest disk indexes. */
export const fileSuggestions: Find = async (text, signal) => {
  const { data } = await call('disk_indexes', {}, { signal });
  const indexes = [...data.indexes].sort((a, b) => b.disk_size - a.disk_size).slice(0, MAX_INDEXES);
  const found = await Promise.all(
    indexes.map(async ({ index_id }) => {
      const input = {
        index_id,
        name: `*${text.replace(/[*?[\]{}\\]/g, '?').replace(/\s+/g, '?')}*`,
        limit: SHOWN,
      };
      const answer = await call('disk_find', input, { signal }).catch(() => undefined);
      return (answer?.data.nodes ?? []).map((node) => ({ ...node, index_id }));
    }),
  );
  return found
    .flat()
    .sort((a, b) => b.disk_size - a.disk_size)
    .slice(0, SHOWN)
    .map(({ index_id, node_id, path, kind, disk_size }) => ({
      href: pageLinks.node(index_id, node_id),
      label: path,
      detail: sizeText(disk_size),
      icon: kind === 'dir' ? 'folder' : 'file',
    }));
};

/** Projects of agents whose folder has this text. */
export const projectSuggestions: Find = async (text, signal) => {
  const { data } = await call('get_project_info', { limit: 100 }, { signal });
  const lower = text.toLowerCase();
  return data.projects
    .filter(({ root_path }) => root_path?.toLowerCase().includes(lower))
    .slice(0, SHOWN)
    .map(({ hash, root_path, session_count }) => ({
      href: pageLinks.sessions({ project: hash }),
      label: root_path ?? hash,
      detail: countOf(session_count, 'session'),
      icon: 'folder',
    }));
};
