import { useEffect, useRef, useState } from 'preact/hooks';
import { go, param, withQuery } from '../frame/router.ts';
import { Choice } from '../ui/basics.tsx';
import { Icon } from '../ui/icon.tsx';
import { useTypedText } from '../ui/use-typed-text.ts';
import { rememberFolder } from './chosen-folder.ts';
import { rememberSearch } from './recent-searches.ts';
import { focusFirstHit } from './result-keys.ts';
import { ALL_FOLDERS, type CodeSearch, MODES } from './search-state.ts';

const DEBOUNCE_MS = 60;
const KEEP_AFTER_MS = 1_500;

/** The search field with its modes and filters. */
export function CodeForm({
  search,
  folders,
}: {
  readonly search: CodeSearch;
  readonly folders: readonly string[];
}) {
  const [text, setText] = useTypedText(
    search.query,
    (q) => go(withQuery({ q, path: pathOf(search), file: undefined, line: undefined }), { replace: true }),
    DEBOUNCE_MS,
  );
  const field = useRef<HTMLInputElement>(null);
  // Not when the address opens a file or results: the reader wants those.
  useEffect(() => {
    if (search.query === '' && param('file') === undefined) field.current?.focus();
  }, []);
  // Queries that are only passed through while typing are not worth remembering.
  useEffect(() => {
    if (search.query === '') return;
    const timer = setTimeout(() => rememberSearch('code', search.query, search.mode), KEEP_AFTER_MS);
    return () => clearTimeout(timer);
  }, [search.query, search.mode]);
  const choices =
    search.folder === undefined || folders.includes(search.folder) ? folders : [search.folder, ...folders];
  return (
    <>
      <form
        class="toolbar"
        onSubmit={(event) => {
          event.preventDefault();
          rememberSearch('code', text, search.mode);
          go(withQuery({ q: text, path: pathOf(search) }));
        }}
      >
        <input
          ref={field}
          type="search"
          class="field wide mono"
          aria-label="Search in code"
          placeholder={search.mode === 'regex' ? 'fn \\w+|impl .* for' : 'where are retries configured'}
          spellcheck={false}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown' || !focusFirstHit()) return;
            event.preventDefault();
          }}
        />
        <Choice
          label="Mode"
          options={MODES}
          value={search.mode}
          onChange={(mode) => go(withQuery({ mode, why: undefined }))}
        />
        {choices.length > 0 && (
          <select
            class="select mono folder-select"
            aria-label="Folder"
            value={search.folder ?? ALL_FOLDERS}
            onChange={(event) => {
              rememberFolder(event.currentTarget.value);
              go(withQuery({ path: event.currentTarget.value }));
            }}
          >
            {folders.length > 1 && <option value={ALL_FOLDERS}>All folders</option>}
            {choices.map((folder) => (
              <option key={folder} value={folder}>
                {folder}
              </option>
            ))}
          </select>
        )}
      </form>
      <div class="chips">
        {search.mode === 'regex' && (
          <>
            <button
              type="button"
              class="chip"
              aria-pressed={search.case === 'sensitive'}
              onClick={() => go(withQuery({ case: search.case === 'sensitive' ? undefined : 'sensitive' }))}
            >
              Match case
            </button>
            <button
              type="button"
              class="chip"
              aria-pressed={search.word}
              onClick={() => go(withQuery({ word: !search.word }))}
            >
              Whole words
            </button>
            <button
              type="button"
              class="chip"
              aria-pressed={search.multiline}
              title="A match may span lines: \n and \s match line breaks"
              onClick={() => go(withQuery({ multiline: search.multiline ? undefined : true }))}
            >
              Across lines
            </button>
          </>
        )}
        {search.mode === 'regex' && (
          <ChipField name="rev" label="commit" value={search.rev} placeholder="v1.2, main~3" />
        )}
        <ChipField name="glob" label="files" value={search.glob} placeholder="src/**/*.ts" />
        <ChipField name="language" label="language" value={search.language} placeholder="rust" />
      </div>
    </>
  );
}

function pathOf({ folder }: CodeSearch): string {
  return folder ?? ALL_FOLDERS;
}

/** A filter: a chip while it is set, otherwise a small field. */
function ChipField(props: {
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
  readonly placeholder: string;
}) {
  const [text, setText] = useState('');
  if (props.value !== undefined) {
    return (
      <a
        class="chip on"
        href={withQuery({ [props.name]: undefined })}
        aria-label={`Remove ${props.label} ${props.value}`}
      >
        {props.label}: {props.value} <Icon name="close" />
      </a>
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setText('');
        go(withQuery({ [props.name]: text }));
      }}
    >
      <input
        class="chip chip-field"
        aria-label={`Only ${props.label}`}
        placeholder={`${props.label}: ${props.placeholder}`}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
    </form>
  );
}
