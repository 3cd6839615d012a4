import { useAnswer } from '../data/use-answer.ts';
import { param } from '../frame/router.ts';
import { useTitle } from '../frame/title.ts';
import { Empty, Skeleton } from '../ui/states.tsx';
import { chosenFolder } from './chosen-folder.ts';
import { CodeForm } from './code-form.tsx';
import { MeaningResults } from './meaning-results.tsx';
import { Preview } from './preview.tsx';
import { RegexResults } from './regex-results.tsx';
import { useResultKeys } from './result-keys.ts';
import { readSearch } from './search-state.ts';
import type { CodeIndexPage } from './types.ts';
import './code.css';

/** One field over the source: exact, by meaning, or both; hits at the left, the file at the right. */
export default function CodePage() {
  const allowed = useAnswer<{ readonly folders: readonly string[] }>('/api/allowed');
  const indexed = useAnswer<CodeIndexPage>('/api/code/indexes?limit=20');
  const folders = allowed.answer?.data.folders ?? [];
  const file = param('file');
  const known = indexed.answer?.data.indexes.map(({ root }) => root) ?? [];
  const search = readSearch(chosenFolder(folders, known, file));
  const waiting =
    (allowed.answer ?? allowed.error) === undefined || (indexed.answer ?? indexed.error) === undefined;
  useTitle(search.query || file);
  useResultKeys();
  if (waiting) return <Skeleton lines={12} />;
  const alone = file !== undefined && search.query === '';
  return (
    <div class={`view fill ${alone ? 'preview-alone' : file === undefined ? '' : 'with-preview'}`}>
      <h1 class="hidden-text">Code</h1>
      <CodeForm search={search} folders={folders} />
      <div class="code-body">
        <section class="code-results" aria-label="Results">
          {search.folder === undefined && (
            <Empty title="No folder may be searched from this page yet." command="pinhole allow ~/projects">
              Allowing a folder lets this page and every agent that uses Pinhole read what is in it.
            </Empty>
          )}
          {search.folder !== undefined && search.query === '' && file === undefined && (
            <Empty title="Type what you look for.">
              A question or a name finds the best places; Regex finds every line. Files are seen as they are
              now.
            </Empty>
          )}
          {search.folder !== undefined &&
            search.query !== '' &&
            (search.mode === 'regex' ? <RegexResults search={search} /> : <MeaningResults search={search} />)}
        </section>
        {file !== undefined && (
          <Preview key={file} path={file} line={Number(param('line') ?? 1)} query={search} />
        )}
      </div>
    </div>
  );
}
