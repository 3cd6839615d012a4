import { useState } from 'preact/hooks';
import { countText, sizeText } from '../../../src/contract/people.ts';
import { call } from '../data/client.ts';
import { useAnswer } from '../data/use-answer.ts';
import { go } from '../frame/router.ts';
import { useTitle } from '../frame/title.ts';
import { Panel } from '../ui/basics.tsx';
import { Failure, Skeleton } from '../ui/states.tsx';
import { Ago } from '../ui/time.tsx';
import type { QueryDetail } from './types.ts';

/** A saved query: its filter, how it runs, what it found before. */
export function QueryView({ id }: { readonly id: string }) {
  const loaded = useAnswer<QueryDetail>(`/api/queries/${encodeURIComponent(id)}`);
  const [plan, setPlan] = useState<unknown>();
  const [problem, setProblem] = useState<string>();
  const query = loaded.answer?.data;
  useTitle(query?.name);
  if (loaded.error && !query)
    return (
      <Failure error={loaded.error} retry={loaded.reload}>
        <a href="/disk">Indexes, selections, queries and plans</a>
      </Failure>
    );
  if (query === undefined) return <Skeleton lines={8} />;
  const report = (error: unknown) => setProblem(error instanceof Error ? error.message : String(error));
  const run = () =>
    call<{ readonly selection_id: string }>('POST', `/api/queries/${id}/run`).then(
      ({ data }) => go(`/disk/sets/${data.selection_id}`),
      report,
    );
  const explain = () =>
    call<unknown>('POST', `/api/queries/${id}/run?format=explain`).then(({ data }) => setPlan(data), report);
  return (
    <div class="view">
      <div class="view-head">
        <h1>{query.name}</h1>
        <span class="quiet">
          {query.query_id}
          {query.index_id && (
            <>
              {' '}
              on <a href={`/disk/${query.index_id}`}>{query.index_id}</a>
            </>
          )}
        </span>
        <span class="spacer" />
        <button type="button" class="button primary" onClick={() => void run()}>
          Run
        </button>
        <button type="button" class="button" onClick={() => void explain()}>
          Explain
        </button>
        <button
          type="button"
          class="button plain"
          onClick={() => void call('DELETE', `/api/queries/${id}`).then(() => go('/disk'), report)}
        >
          Delete query
        </button>
      </div>
      {problem && <p class="failed">{problem}</p>}
      <Panel title="Filter">
        <pre class="panel-body code-block">{JSON.stringify(query.filter, undefined, 2)}</pre>
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
              <tr key={one.at}>
                <td>
                  <Ago at={one.at} />
                </td>
                <td class="num">{countText(one.matches)}</td>
                <td class="num">{sizeText(one.size)}</td>
                <td class="num">{one.ms}</td>
                <td>
                  <a href={`/disk/sets/${one.selection_id}`}>{one.selection_id}</a>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Panel>
    </div>
  );
}
