import { call } from '../data/call.ts';
import type { DataOf } from '../data/operations.ts';
import { moneyText } from '../ui/format.ts';
import { pageLinks } from './router.ts';
import type { Suggestion } from './suggestions.ts';

const COMMITS_SHOWN = 4;
const MAX_REPOSITORIES = 4;
/** Typing must not run git at every keystroke. */
const KEPT_MS = 60_000;

type Commit = DataOf<'commit_sessions'>['commits'][number];

let known: { readonly at: number; readonly commits: Promise<readonly Commit[]> } | undefined;

/** The newest commits of the indexed repositories; the answer is kept for a minute. */
function newestCommits(): Promise<readonly Commit[]> {
  if (known === undefined || Date.now() - known.at > KEPT_MS)
    known = { at: Date.now(), commits: readNewest().catch(() => []) };
  return known.commits;
}

async function readNewest(): Promise<readonly Commit[]> {
  const { data } = await call('code_indexes', { limit: 20 });
  const found = await Promise.all(
    data.indexes.slice(0, MAX_REPOSITORIES).map(async ({ root }) => {
      const folder = await call('cd', { path: root, limit: 100 }).catch(() => undefined);
      // A folder that is not a repository has no commits.
      if (!folder?.data.entries.some(({ name }) => name === '.git')) return [];
      const answer = await call('commit_sessions', { path: root, limit: 50 }).catch(() => undefined);
      return answer?.data.commits ?? [];
    }),
  );
  return found.flat();
}

/** Commits with this text in their subject, or with this hash; they link to the session that made them. */
export async function commitSuggestions(text: string): Promise<readonly Suggestion[]> {
  const lower = text.toLowerCase();
  const commits = await newestCommits();
  return commits
    .filter(({ subject, commit }) => subject.toLowerCase().includes(lower) || commit.startsWith(lower))
    .flatMap(({ subject, commit, session_id, cost }): readonly Suggestion[] =>
      session_id === undefined
        ? []
        : [
            {
              href: pageLinks.session(session_id, { side: 'commits' }),
              label: `${commit.slice(0, 8)}  ${subject}`,
              detail: cost === undefined ? '' : moneyText(cost),
              icon: 'code',
            },
          ],
    )
    .slice(0, COMMITS_SHOWN);
}
