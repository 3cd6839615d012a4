import { useAnswer } from '../data/use-answer.ts';
import { go, withQuery } from '../frame/router.ts';
import { exactInput } from './exact-question.ts';
import type { CodeSearch } from './search-state.ts';

/** Says that a name is nowhere in the folder, and that the results are only similar. */
export function ExactNote({ search }: { readonly search: CodeSearch }) {
  const input = exactInput(search.query, search.folder);
  const { answer } = useAnswer('regex_search', input);
  if (input === undefined || answer === undefined || (answer.data.matches ?? []).length > 0) return null;
  return (
    <p class="exact-note" role="status">
      No line in {search.folder ?? 'this folder'} contains <code>{search.query}</code>. These results are only
      similar.{' '}
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
