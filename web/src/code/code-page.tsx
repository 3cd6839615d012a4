import { useAnswer } from '../data/use-answer.ts';
import { param } from '../frame/router.ts';
import { useTitle } from '../frame/title.ts';
import { Empty, Skeleton } from '../ui/states.tsx';
import { chosenFolder } from './chosen-folder.ts';
import { CodeForm } from './code-form.tsx';
import { Preview } from './preview.tsx';
import { RankedResults } from './ranked-results.tsx';
import { RegexResults } from './regex-results.tsx';
import { useResultKeys } from './result-keys.ts';
import { readSearch } from './search-state.ts';
import './code.css';

/** Code search by regular expression, by meaning, or both; results on the left, the file on the right. */
export default function CodePage() {
  const allowed = useAnswer('allow', {});
  const indexed = useAnswer('code_indexes', { limit: 20 });
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
            <Empty
              title="No folder is allowed yet, so there is no code to search."
              command="pinhole allow ~/projects"
            >
              This page and every agent that uses Pinhole can then read everything in the folder.
            </Empty>
          )}
          {search.folder !== undefined && search.query === '' && file === undefined && (
            <Empty title="What are you looking for?">
              Ask a question or type a name for the best matches; Regex lists every matching line. Results
              always reflect the files on disk.
            </Empty>
          )}
          {search.folder !== undefined &&
            search.query !== '' &&
            (search.mode === 'regex' ? <RegexResults search={search} /> : <RankedResults search={search} />)}
        </section>
        {file !== undefined && (
          <Preview key={file} path={file} line={Number(param('line') ?? 1)} query={search} />
        )}
      </div>
    </div>
  );
}
