import { commandLine } from '../data/start-words.ts';
import { useAnswer } from '../data/use-answer.ts';
import { pageLinks, param } from '../frame/router.ts';
import { useTitle } from '../frame/title.ts';
import { Empty, Skeleton } from '../ui/states.tsx';
import { AllFolders } from './all-folders.tsx';
import { chosenFolder } from './chosen-folder.ts';
import { CodeForm } from './code-form.tsx';
import { CodeStart } from './code-start.tsx';
import { Facets } from './facets.tsx';
import { Preview } from './preview.tsx';
import { RankedResults } from './ranked-results.tsx';
import { RegexResults } from './regex-results.tsx';
import { useResultKeys } from './result-keys.ts';
import { type CodeSearch, readSearch } from './search-state.ts';
import { outermost, unsearched } from './searched-folders.ts';
import './code.css';
import './code-extras.css';

/** Searching more at once would make every keystroke slow. */
const MAX_FOLDERS = 12;

/** The folders that a search everywhere covers: those that are indexed, each file once. */
function everywhere(allowed: readonly string[], indexed: readonly string[]): readonly string[] {
  const within = (folder: string) => allowed.some((root) => `${folder}/`.startsWith(`${root}/`));
  const readable = outermost(indexed.filter(within));
  return (readable.length > 0 ? readable : outermost(allowed)).slice(0, MAX_FOLDERS);
}

function Results({ search, allowed }: { readonly search: CodeSearch; readonly allowed: readonly string[] }) {
  if (search.folder === undefined)
    return <AllFolders search={search} leftOut={unsearched(allowed, search.folders)} />;
  return search.mode === 'regex' ? <RegexResults search={search} /> : <RankedResults search={search} />;
}

/** Code search by regular expression, by meaning, or both; results on the left, the file on the right. */
export default function CodePage() {
  const allowed = useAnswer('allow', {});
  const indexed = useAnswer('code_indexes', { limit: 20 });
  const folders = allowed.answer?.data.folders ?? [];
  const file = param('file');
  const known = indexed.answer?.data.indexes.map(({ root }) => root) ?? [];
  const search = readSearch(chosenFolder(folders, known, file), everywhere(folders, known));
  const waiting =
    (allowed.answer ?? allowed.error) === undefined || (indexed.answer ?? indexed.error) === undefined;
  useTitle(search.query || file);
  useResultKeys();
  if (waiting) return <Skeleton lines={12} />;
  const alone = file !== undefined && search.query === '';
  const layout = alone
    ? 'preview-alone'
    : file !== undefined
      ? 'with-preview'
      : search.query === ''
        ? ''
        : 'with-facets';
  return (
    <div class={`view fill ${layout}`}>
      <h1 class="hidden-text">Code</h1>
      <CodeForm search={search} folders={folders} />
      <div class="code-body">
        {search.query !== '' && file === undefined && <Facets search={search} />}
        <section class="code-results" aria-label="Results">
          {search.folders.length === 0 && (
            <Empty
              title="No folder is allowed yet, so there is no code to search."
              command={commandLine('allow', '~/projects')}
            >
              <p>This page and every agent that uses Pinhole can then read everything in the folder.</p>
              <a class="button" href={pageLinks.settings}>
                Allow a folder
              </a>
            </Empty>
          )}
          {search.folders.length > 0 && search.query === '' && file === undefined && <CodeStart />}
          {search.folders.length > 0 && search.query !== '' && <Results search={search} allowed={folders} />}
        </section>
        {file !== undefined && (
          <Preview key={file} path={file} line={Number(param('line') ?? 1)} query={search} />
        )}
      </div>
    </div>
  );
}
