import { useState } from 'preact/hooks';
import { countText, durationText, shortCount } from '../../../src/contract/people.ts';
import { useAnswer } from '../data/use-answer.ts';
import { href, param } from '../frame/router.ts';
import { useTitle } from '../frame/title.ts';
import { Panel } from '../ui/basics.tsx';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { shortTime } from '../ui/time.tsx';
import { providerName } from './provider-mark.tsx';
import type { Comparison } from './types.ts';

type Side = Comparison['a'];
type Place = NonNullable<NonNullable<Comparison['parts_at']>['a']>;

const ROWS: readonly (readonly [string, (side: Side) => string | number])[] = [
  ['client', (side) => `${providerName(side.provider)} ${side.model ?? ''}`],
  ['start', (side) => shortTime(side.start_time)],
  ['duration', (side) => durationText(side.duration_seconds)],
  ['turns', (side) => countText(side.turns)],
  ['steps', (side) => countText(side.steps)],
  ['tool calls', (side) => countText(side.tool_calls)],
  ['failed calls', (side) => countText(side.failures)],
  ['tokens', (side) => shortCount(side.tokens)],
  ['score', (side) => side.score],
];

/** Two sessions side by side, and where they part. */
export function ComparePage() {
  const a = param('a');
  const b = param('b');
  useTitle(a === undefined || b === undefined ? 'Compare' : `${a} and ${b}`);
  const { answer, error, reload } = useAnswer<Comparison>(
    a === undefined || b === undefined ? undefined : href('/api/agent-compare', { a, b }),
  );
  if (a === undefined || b === undefined)
    return (
      <Empty title="Pick two sessions in the list to compare them.">
        <a href="/sessions">All sessions</a>
      </Empty>
    );
  if (error && !answer)
    return (
      <Failure error={error} retry={reload}>
        <a href="/sessions">All sessions</a>
      </Failure>
    );
  if (answer === undefined) return <Skeleton lines={12} />;
  const { data } = answer;
  return (
    <div class="view">
      <div class="view-head">
        <h1>
          <a href={`/sessions/${data.a.id}`}>{data.a.id}</a> and{' '}
          <a href={`/sessions/${data.b.id}`}>{data.b.id}</a>
        </h1>
      </div>
      <Parting data={data} />
      <div class="grid pairs">
        <Panel title="Figures">
          <table class="table figure-table">
            <thead>
              <tr>
                <th>figure</th>
                <th class="num">{data.a.id}</th>
                <th class="num">{data.b.id}</th>
              </tr>
            </thead>
            <tbody>
              {ROWS.map(([name, pick]) => (
                <tr key={name}>
                  <td>{name}</td>
                  <td class="num">{pick(data.a)}</td>
                  <td class="num">{pick(data.b)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Panel>
        <Panel title="Tools">
          <ToolBars tools={data.tools} />
        </Panel>
        <Panel title="Files changed">
          <div class="panel-body stack">
            <LineGroup name="in both" lines={data.files.both} more={data.more?.both} />
            <LineGroup name={`only in ${data.a.id}`} lines={data.files.only_a} more={data.more?.only_a} />
            <LineGroup name={`only in ${data.b.id}`} lines={data.files.only_b} more={data.more?.only_b} />
          </div>
        </Panel>
        <Panel title="What failed">
          <div class="panel-body stack">
            <LineGroup name={`in ${data.a.id}`} lines={data.failed_actions.a} more={data.more?.failed_a} />
            <LineGroup name={`in ${data.b.id}`} lines={data.failed_actions.b} more={data.more?.failed_b} />
          </div>
        </Panel>
      </div>
    </div>
  );
}

function Parting({ data }: { readonly data: Comparison }) {
  const at = data.parts_at;
  if (at === undefined) return <p class="quiet">One of them is the beginning of the other.</p>;
  const side = (id: string, place: Place | undefined) =>
    place === undefined ? (
      <span class="quiet">ends there</span>
    ) : (
      <a class="mono" href={href(`/sessions/${id}`, { event: place.event_index })}>
        {place.action}
      </a>
    );
  return (
    <Panel title={`They part at call ${at.call}`}>
      <div class="parting">
        <div>{side(data.a.id, at.a)}</div>
        <div>{side(data.b.id, at.b)}</div>
      </div>
    </Panel>
  );
}

function ToolBars({ tools }: { readonly tools: Comparison['tools'] }) {
  const most = Math.max(1, ...Object.values(tools).flat());
  return (
    <ul class="tool-bars">
      {Object.entries(tools).map(([name, [a, b]]) => (
        <li key={name}>
          <span class="num">{countText(a)}</span>
          <span class="bar left">
            <span class="bar-fill soft" style={{ width: `${(100 * a) / most}%` }} />
          </span>
          <span class="mono cut">{name}</span>
          <span class="bar">
            <span class="bar-fill soft" style={{ width: `${(100 * b) / most}%` }} />
          </span>
          <span class="num">{countText(b)}</span>
        </li>
      ))}
    </ul>
  );
}

/** Lines shown before the rest is asked for, and how many more each time. */
const SHOWN = 12;
const PORTION = 200;

function LineGroup(props: {
  readonly name: string;
  readonly lines: readonly string[];
  /** How many the answer had no room for. */
  readonly more: number | undefined;
}) {
  const { lines, more = 0 } = props;
  const [shown, setShown] = useState(SHOWN);
  const left = lines.length - shown;
  return (
    <div>
      <h3>
        {props.name} <span class="quiet">{countText(lines.length + more)}</span>
      </h3>
      <ul class="mono">
        {lines.slice(0, shown).map((line) => (
          <li key={line} class="cut" title={line}>
            {line}
          </li>
        ))}
      </ul>
      {left > 0 && (
        <button type="button" class="button small plain unfold" onClick={() => setShown(shown + PORTION)}>
          Show more of the {countText(left)} left
        </button>
      )}
      {left <= 0 && more > 0 && <p class="quiet">and {countText(more)} more</p>}
    </div>
  );
}
