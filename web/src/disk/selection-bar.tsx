import { useState } from 'preact/hooks';
import { countText, sizeText } from '../../../src/contract/people.ts';
import { call } from '../data/client.ts';
import { go } from '../frame/router.ts';
import { Dialog } from '../ui/dialog.tsx';
import { filterOf } from './filter-words.ts';
import { clearSelection, selection } from './selection.ts';
import { useSelectionSize } from './selection-size.ts';
import type { PlanCard, SetCard } from './types.ts';

/** What can be done with what is selected, or with the filter. */
export function SelectionBar({ index, words }: { readonly index: string; readonly words: string }) {
  const chosen = selection();
  const size = useSelectionSize(index, chosen);
  const [naming, setNaming] = useState<'set' | 'query' | undefined>();
  const [problem, setProblem] = useState<string>();
  if (chosen.size === 0 && words === '') return null;
  const attempt = (work: () => Promise<void>) => async () => {
    setProblem(undefined);
    await work().catch((error: unknown) =>
      setProblem(error instanceof Error ? error.message : String(error)),
    );
  };
  const saveSet = async (name: string) => {
    const body = { name, index_id: index, node_ids: [...chosen] };
    const answer = await call<SetCard>('POST', '/api/resource-sets', { body });
    return answer.data.selection_id;
  };
  const plan = attempt(async () => {
    const set = await saveSet(`Clean-up of ${new Date().toLocaleString()}`);
    const answer = await call<PlanCard>('POST', `/api/resource-sets/${set}/plan`);
    go(`/disk/plans/${answer.data.plan_id}`);
  });
  const save = (name: string) =>
    attempt(async () => {
      if (naming === 'set') {
        go(`/disk/sets/${await saveSet(name)}`);
      } else {
        const body = { filter: filterOf(words), save_as: name, index_id: index };
        const answer = await call<{ readonly query_id: string }>('POST', '/api/queries', { body });
        go(`/disk/queries/${answer.data.query_id}`);
      }
    })();
  return (
    <section class="selection-bar" aria-label="Selection">
      {chosen.size > 0 ? (
        <>
          <strong>
            {countText(chosen.size)} selected{size !== undefined && `, ${sizeText(size)}`}
          </strong>
          <button type="button" class="button small" onClick={() => setNaming('set')}>
            Save selection…
          </button>
          <button type="button" class="button small" onClick={() => void plan()}>
            Plan clean-up
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
          title={naming === 'set' ? 'Save the selection' : 'Save the query'}
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
          placeholder="a name"
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
