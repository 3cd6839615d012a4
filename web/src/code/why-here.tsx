import { countText } from '../../../src/contract/people.ts';
import { useAnswer } from '../data/use-answer.ts';
import { Failure, Skeleton } from '../ui/states.tsx';
import { scoreWords } from './score-words.ts';

interface Explained {
  readonly kind?: string;
  readonly terms?: readonly string[];
  readonly identifiers?: readonly string[];
  readonly files?: number;
  readonly chunks?: number;
  readonly ms?: number;
  readonly hits: readonly {
    readonly path: string;
    readonly line_start: number;
    readonly score: number;
    readonly parts: Readonly<Record<string, number>>;
  }[];
}

/** The parts of a hit's score, as bars, and how the question was read. */
export function WhyHere({
  url,
  path,
  line,
}: {
  readonly url: string;
  readonly path: string;
  readonly line: number;
}) {
  const { answer, error, reload } = useAnswer<Explained>(url);
  if (error) return <Failure error={error} retry={reload} />;
  if (answer === undefined) return <Skeleton lines={4} />;
  const { data } = answer;
  const rank = data.hits.findIndex((hit) => hit.path === path && hit.line_start === line);
  const hit = data.hits[rank];
  if (hit === undefined) return <p class="quiet why">The plan does not reach down to this place.</p>;
  const parts = Object.entries(hit.parts).sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
  // Words that the index writes together are its own business.
  const words = (data.terms ?? []).filter((term) => /^\w/.test(term));
  const most = Math.max(0.001, ...parts.map(([, part]) => Math.abs(part)));
  return (
    <section class="why" aria-label={`Why ${path} is at place ${rank + 1}`}>
      <p class="quiet">
        place {rank + 1} of {data.hits.length}
        {data.kind && `, read as ${data.kind}`}
        {words.length > 0 && `, words ${words.join(', ')}`}
        {data.identifiers && data.identifiers.length > 0 && `, names ${data.identifiers.join(', ')}`}
        {data.chunks !== undefined && `, ${countText(data.chunks)} pieces compared`}
      </p>
      <dl>
        {parts.map(([name, part]) => (
          <div key={name}>
            <dt>{scoreWords(name)}</dt>
            <dd>
              <span class="bar">
                <span
                  class={part < 0 ? 'bar-fill failed' : 'bar-fill'}
                  style={{ width: `${(100 * Math.abs(part)) / most}%` }}
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
