import { useAnswer } from '../data/use-answer.ts';
import { go, withQuery } from '../frame/router.ts';
import type { CodeSearch } from './search-state.ts';

/** A query that is one name, not a question. */
const NAME = /^[\p{L}_$][\p{L}\p{N}_$.:]{2,}$/u;

/** Says that a name is nowhere in the folder: what is listed is only similar. */
export function ExactNote({ search }: { readonly search: CodeSearch }) {
  const { answer } = useAnswer(
    'regex_search',
    NAME.test(search.query) && search.folder !== undefined
      ? { pattern: search.query, fixed: true, case: 'insensitive', path: search.folder, limit: 1 }
      : undefined,
  );
  if (answer === undefined || (answer.data.matches ?? []).length > 0 || !NAME.test(search.query)) return null;
  return (
    <p class="exact-note" role="status">
      No exact match for <code>{search.query}</code> in {search.folder ?? 'this folder'}. These results are
      only similar.{' '}
      <button
        type="button"
        class="button small plain"
        onClick={() => go(withQuery({ mode: 'regex', fixed: true, why: undefined }))}
      >
        Search as text
      </button>
    </p>
  );
}
