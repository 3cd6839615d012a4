import { useState } from 'preact/hooks';
import { call, explain } from '../data/call.ts';
import { useAnswer } from '../data/use-answer.ts';
import { go, pageLinks } from '../frame/router.ts';
import { useTitle } from '../frame/title.ts';
import { Panel } from '../ui/basics.tsx';
import { countText, sizeText } from '../ui/format.ts';
import { Failure, Skeleton } from '../ui/states.tsx';
import { Ago } from '../ui/time.tsx';
import { filterText } from './filter-words.ts';
import { IndexLink, SelectionLink } from './named-links.tsx';

/** A saved query: its filter, how it is run, and its earlier runs. */
export function QueryView({ id }: { readonly id: string }) {
  const loaded = useAnswer('query_get', { query_id: id });
  const [plan, setPlan] = useState<unknown>();
  const [problem, setProblem] = useState<string>();
  const query = loaded.answer?.data;
  useTitle(query?.name);
  if (loaded.error && !query)
    return (
      <Failure error={loaded.error} retry={loaded.reload}>
        <a href={pageLinks.disk}>Indexes, selections, queries and plans</a>
      </Failure>
    );
  if (query === undefined) return <Skeleton lines={8} />;
  const report = (error: unknown) => setProblem(error instanceof Error ? error.message : String(error));
  const run = () =>
    call('query_run', { query_id: id }).then(
      ({ data: { selection_id } }) => selection_id && go(pageLinks.selection(selection_id)),
      report,
    );
  const showPlan = () => explain('query_run', { query_id: id }).then(setPlan, report);
  return (
    <div class="view">
      <div class="view-head">
        <h1>{query.name}</h1>
        {query.index_id && (
          <span class="quiet">
            in <IndexLink index={query.index_id} />
          </span>
        )}
        <span class="spacer" />
        <button type="button" class="button primary" onClick={() => void run()}>
          Run
        </button>
        <button type="button" class="button" onClick={() => void showPlan()}>
          Explain
        </button>
        <button
          type="button"
          class="button plain"
          onClick={() => void call('query_delete', { query_id: id }).then(() => go(pageLinks.disk), report)}
        >
          Delete query
        </button>
      </div>
      {problem && <p class="failed">{problem}</p>}
      <Panel title="Filter">
        <p class="panel-body">{filterText(JSON.stringify(query.filter))}</p>
        <details class="panel-body">
          <summary>As JSON</summary>
          <pre class="code-block">{JSON.stringify(query.filter, undefined, 2)}</pre>
        </details>
      </Panel>
      {plan !== undefined && (
        <Panel title="How it runs">
          <pre class="panel-body code-block">{JSON.stringify(plan, undefined, 2)}</pre>
        </Panel>
      )}
      <Panel title="Runs">
        <table class="table">
          <thead>
            <tr>
              <th>when</th>
              <th class="num">found</th>
              <th class="num">size</th>
              <th class="num">ms</th>
              <th>selection</th>
            </tr>
          </thead>
          <tbody>
            {(query.runs ?? []).map((one) => (
              <tr key={one.executed_at}>
                <td>
                  <Ago at={one.executed_at} />
                </td>
                <td class="num">{countText(one.matches)}</td>
                <td class="num">{sizeText(one.size)}</td>
                <td class="num">{one.ms}</td>
                <td>
                  <SelectionLink selection={one.selection_id} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Panel>
    </div>
  );
}
