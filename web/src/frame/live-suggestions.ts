import { lineOfMatch } from '../code/around-match.ts';
import { exactInput } from '../code/exact-question.ts';
import { wordPattern } from '../code/match-pattern.ts';
import { call } from '../data/call.ts';
import { countOf, sizeText } from '../ui/format.ts';
import { shortTime } from '../ui/time.tsx';
import { pageLinks } from './router.ts';
import type { Suggestion } from './suggestions.ts';

const RESULTS_SHOWN = 4;
/** Enough of a match to find its best line. */
const SNIPPET_LENGTH = 700;
const MAX_FOLDERS = 4;
const MAX_INDEXES = 3;

type Find = (text: string, signal: AbortSignal) => Promise<readonly Suggestion[]>;

interface Place {
  readonly root: string;
  readonly path: string;
  readonly line: number;
  readonly symbol?: string | undefined;
  readonly score: number;
}

/** The best places in all indexed folders; typing must not start indexing a new one. */
export const codeSuggestions: Find = async (text, signal) => {
  const { data } = await call('code_indexes', { limit: 20 }, { signal });
  const folders = data.indexes.filter(({ semantic }) => semantic !== undefined).slice(0, MAX_FOLDERS);
  const found = await Promise.all(folders.map(({ root }) => placesIn(root, text, signal)));
  return found
    .flat()
    .sort((a, b) => b.score - a.score)
    .slice(0, RESULTS_SHOWN)
    .map(({ root, path, line, symbol }) => ({
      href: pageLinks.code({ q: text, path: root, file: `${root}/${path}`, line }),
      label: symbol === undefined ? `${path}:${line}` : `${symbol}  ${path}:${line}`,
      detail: root.split('/').at(-1) ?? root,
      icon: 'code',
    }));
};

/** For a question, the best places; for a name, what has that name, or else the lines that contain it. Enter opens the first one. */
async function placesIn(folder: string, text: string, signal: AbortSignal): Promise<readonly Place[]> {
  const exact = exactInput(text, folder);
  const [ranked, lines] = await Promise.all([
    call(
      'hybrid_search',
      {
        query: text,
        path: folder,
        limit: RESULTS_SHOWN,
        include_snippet: true,
        snippet_length: SNIPPET_LENGTH,
      },
      { signal },
    ).catch(() => undefined),
    exact && call('regex_search', { ...exact, limit: RESULTS_SHOWN }, { signal }).catch(() => undefined),
  ]);
  const root = ranked?.data.root ?? folder;
  const marks = wordPattern(text);
  const best = (ranked?.data.matches ?? []).map((match) => ({
    ...match,
    root,
    line: lineOfMatch(match, marks),
  }));
  if (exact === undefined) return best;
  const name = text.toLowerCase();
  const called = best.filter(({ symbol = '', path }) => `${symbol} ${path}`.toLowerCase().includes(name));
  if (called.length > 0) return called;
  return (lines?.data.matches ?? []).map(({ path, hits }) => ({
    root: lines?.data.root ?? folder,
    path,
    line: hits[0]?.line ?? 1,
    score: 0,
  }));
}

/** Sessions in which a person asked for it, newest first; if there are none, those that mention it. */
export const sessionSuggestions: Find = async (text, signal) => {
  const search = async (event_type: 'user' | undefined) => {
    const input = { query: text, event_type, limit: 20 };
    return (await call('search_event_previews', input, { signal })).data.matches;
  };
  const asked = await search('user');
  const matches = asked.length > 0 ? asked : await search(undefined);
  const first = new Map(matches.map((match) => [match.session_id, match] as const).reverse());
  return [...first.values()]
    .reverse()
    .slice(0, RESULTS_SHOWN)
    .map((match) => ({
      href: pageLinks.session(match.session_id, {
        turn: match.turn_index,
        step: match.event_type === 'user' ? undefined : match.step_index,
        find: text,
      }),
      label: match.preview,
      detail: shortTime(match.timestamp),
      icon: 'sessions',
    }));
};

/** Files and folders with this text in their names, from the largest disk indexes. */
export const fileSuggestions: Find = async (text, signal) => {
  const { data } = await call('disk_indexes', {}, { signal });
  const indexes = [...data.indexes].sort((a, b) => b.disk_size - a.disk_size).slice(0, MAX_INDEXES);
  const found = await Promise.all(
    indexes.map(async ({ index_id }) => {
      const input = {
        index_id,
        name: `*${text.replace(/[*?[\]{}\\]/g, '?').replace(/\s+/g, '?')}*`,
        limit: RESULTS_SHOWN,
      };
      const answer = await call('disk_find', input, { signal }).catch(() => undefined);
      return (answer?.data.nodes ?? []).map((node) => ({ ...node, index_id }));
    }),
  );
  return found
    .flat()
    .sort((a, b) => b.disk_size - a.disk_size)
    .slice(0, RESULTS_SHOWN)
    .map(({ index_id, node_id, path, kind, disk_size }) => ({
      href: pageLinks.node(index_id, node_id),
      label: path,
      detail: sizeText(disk_size),
      icon: kind === 'dir' ? 'folder' : 'file',
    }));
};

/** Agents' projects with this text in their folder. */
export const projectSuggestions: Find = async (text, signal) => {
  const { data } = await call('get_project_info', { limit: 100 }, { signal });
  const lower = text.toLowerCase();
  return data.projects
    .filter(({ root_path }) => root_path?.toLowerCase().includes(lower))
    .slice(0, RESULTS_SHOWN)
    .map(({ hash, root_path, session_count }) => ({
      href: pageLinks.sessions({ project: hash }),
      label: root_path ?? hash,
      detail: countOf(session_count, 'session'),
      icon: 'folder',
    }));
};
