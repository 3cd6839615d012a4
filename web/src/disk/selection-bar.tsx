import { useState } from 'preact/hooks';
import { localMinute } from '../../../src/contract/zone.ts';
import { call } from '../data/call.ts';
import { goFrom, pageLinks } from '../frame/router.ts';
import { Dialog } from '../ui/dialog.tsx';
import { countText, sizeText } from '../ui/format.ts';
import { zone } from '../ui/zone.ts';
import { filterOf } from './filter-words.ts';
import { clearSelection, selection } from './selection.ts';
import { useSelectionSize } from './use-selection-size.ts';

/** Actions on the selection, or on the filter if nothing is selected. */
export function SelectionBar({ index, words }: { readonly index: string; readonly words: string }) {
  const chosen = selection();
  const size = useSelectionSize(index, chosen);
  const [naming, setNaming] = useState<'selection' | 'query' | undefined>();
  const [problem, setProblem] = useState<string>();
  const [planning, setPlanning] = useState(false);
  if (chosen.size === 0 && words === '') return null;
  const here = ['disk', index];
  const attempt = (work: () => Promise<void>) => async () => {
    setProblem(undefined);
    await work().catch((error: unknown) =>
      setProblem(error instanceof Error ? error.message : String(error)),
    );
  };
  const saveSelection = async (name: string) => {
    const { data } = await call('resource_set_create', { name, index_id: index, node_ids: [...chosen] });
    return data.selection_id;
  };
  const plan = attempt(async () => {
    const selection_id = await saveSelection(`Clean-up of ${localMinute(new Date().toISOString(), zone())}`);
    const { data } = await call('disk_plan_create', { selection_id });
    // For a reader who has left, it is listed on the Disk start page.
    goFrom(here, pageLinks.plan(data.plan_id));
  });
  const save = (name: string) =>
    attempt(async () => {
      if (naming === 'selection') {
        goFrom(here, pageLinks.selection(await saveSelection(name)));
        return;
      }
      const { data } = await call('query_run', { filter: filterOf(words), save_as: name, index_id: index });
      if (data.query_id !== undefined) goFrom(here, pageLinks.query(data.query_id));
    })();
  return (
    <section class="selection-bar" aria-label="Selection">
      {chosen.size > 0 ? (
        <>
          <strong>
            {countText(chosen.size)} selected{size !== undefined && `, ${sizeText(size)}`}
          </strong>
          <button type="button" class="button small" onClick={() => setNaming('selection')}>
            Save selection…
          </button>
          <button
            type="button"
            class="button small"
            disabled={planning}
            onClick={() => {
              setPlanning(true);
              void plan().finally(() => setPlanning(false));
            }}
          >
            {planning ? 'Planning…' : 'Plan clean-up'}
          </button>
          <button type="button" class="button small plain" onClick={clearSelection}>
            Clear
          </button>
        </>
      ) : (
        <>
          <span class="mono cut">{words}</span>
          <button type="button" class="button small" onClick={() => setNaming('query')}>
            Save query…
          </button>
        </>
      )}
      {problem && <span class="failed">{problem}</span>}
      {naming && (
        <NameDialog
          title={naming === 'selection' ? 'Save selection' : 'Save query'}
          onClose={() => setNaming(undefined)}
          onName={(name) => {
            setNaming(undefined);
            void save(name);
          }}
        />
      )}
    </section>
  );
}

function NameDialog(props: {
  readonly title: string;
  readonly onClose: () => void;
  readonly onName: (name: string) => void;
}) {
  const [name, setName] = useState('');
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <form
        class="dialog-body"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== '') props.onName(name.trim());
        }}
      >
        <input
          class="field"
          aria-label="Name"
          placeholder="Name"
          maxLength={100}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <div class="toolbar">
          <button type="submit" class="button primary">
            Save
          </button>
        </div>
      </form>
    </Dialog>
  );
}
