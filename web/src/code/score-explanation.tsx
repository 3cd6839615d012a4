import type { InputOf } from '../data/operations.ts';
import { useExplanation } from '../data/use-answer.ts';
import { countOf } from '../ui/format.ts';
import { Failure, Skeleton } from '../ui/states.tsx';
import { scoreLabel } from './score-labels.ts';
import type { RankingPlan } from './types.ts';

/** The parts of a result's score as bars, and how the search was understood. */
export function ScoreExplanation({
  operation,
  input,
  path,
  score,
}: {
  readonly operation: 'hybrid_search' | 'semantic_search';
  readonly input: InputOf<'hybrid_search'>;
  readonly path: string;
  readonly score: number;
}) {
  const { answer, error, reload } = useExplanation(operation, input);
  if (error) return <Failure error={error} retry={reload} />;
  if (answer === undefined) return <Skeleton lines={4} />;
  // What these two operations return for `format=explain`.
  const data = answer.data as RankingPlan;
  const rank = data.hits.findIndex((hit) => hit.path === path && hit.score === score);
  const hit = data.hits[rank];
  if (hit === undefined) return <p class="quiet why">No score details for results this far down.</p>;
  const parts = Object.entries(hit.parts ?? {}).sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
  // Multi-word terms exist only inside the index.
  const words = (data.terms ?? []).filter((term) => /^\w/.test(term));
  const largest = Math.max(0.001, ...parts.map(([, part]) => Math.abs(part)));
  return (
    <section class="why" aria-label={`Why ${path} is result ${rank + 1}`}>
      <p class="quiet">
        Result {rank + 1} of {data.hits.length}
        {data.kind && ` · read as ${data.kind}`}
        {words.length > 0 && ` · words: ${words.join(', ')}`}
        {data.identifiers && data.identifiers.length > 0 && ` · names: ${data.identifiers.join(', ')}`}
        {data.chunks !== undefined && ` · ${countOf(data.chunks, 'chunk')} ranked`}
      </p>
      <dl>
        {parts.map(([name, part]) => (
          <div key={name}>
            <dt>{scoreLabel(name)}</dt>
            <dd>
              <span class="bar">
                <span
                  class={part < 0 ? 'bar-fill failed' : 'bar-fill'}
                  style={{ width: `${(100 * Math.abs(part)) / largest}%` }}
                />
              </span>
              <span class="num">{part.toFixed(3)}</span>
            </dd>
          </div>
        ))}
        <div>
          <dt>score</dt>
          <dd>
            <span />
            <strong class="num">{hit.score.toFixed(3)}</strong>
          </dd>
        </div>
      </dl>
    </section>
  );
}
