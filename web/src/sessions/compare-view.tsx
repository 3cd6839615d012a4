import { useState } from 'preact/hooks';
import { useAnswer } from '../data/use-answer.ts';
import { pageLinks, param } from '../frame/router.ts';
import { useTitle } from '../frame/title.ts';
import { Panel } from '../ui/basics.tsx';
import { countText, durationText, moneyText, shortCount } from '../ui/format.ts';
import { PathText } from '../ui/path-text.tsx';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { shortTime } from '../ui/time.tsx';
import { agentName } from './agent-mark.tsx';
import { AlignedSteps } from './aligned-steps.tsx';
import { ComparePicker } from './compare-picker.tsx';
import type { Comparison, SessionSummary } from './types.ts';

type Side = Comparison['a'];
type Place = NonNullable<NonNullable<Comparison['diverge_at']>['a']>;

const ROWS: readonly (readonly [string, (side: Side) => string | number])[] = [
  ['agent', (side) => `${agentName(side.provider)} ${side.model ?? ''}`],
  ['start', (side) => shortTime(side.start_time)],
  ['duration', (side) => (side.duration_seconds === undefined ? '–' : durationText(side.duration_seconds))],
  ['turns', (side) => countText(side.turns)],
  ['steps', (side) => countText(side.steps)],
  ['calls', (side) => countText(side.tool_calls)],
  ['failed calls', (side) => countText(side.failures)],
  ['tokens', (side) => (side.tokens === undefined ? '–' : shortCount(side.tokens))],
  ['score', (side) => side.score],
];

/** Two sessions side by side, and where they diverge. */
export function CompareView() {
  const a = param('a');
  const b = param('b');
  const { answer, error, reload } = useAnswer(
    'compare_sessions',
    a === undefined || b === undefined ? undefined : { a, b },
  );
  const titles = [useTitleOf(a), useTitleOf(b)] as const;
  const nameOf = (summary: SessionSummary | undefined, id: string) =>
    summary?.title ?? summary?.first_prompt ?? id;
  useTitle(
    a === undefined || b === undefined ? 'Compare' : `${nameOf(titles[0], a)} and ${nameOf(titles[1], b)}`,
  );
  if (a !== undefined && b === undefined) return <ComparePicker session={a} />;
  if (a === undefined || b === undefined)
    return (
      <Empty title="Select two sessions in the list to compare them.">
        <a href={pageLinks.sessions()}>All sessions</a>
      </Empty>
    );
  if (error && !answer)
    return (
      <Failure error={error} retry={reload}>
        <a href={pageLinks.sessions()}>All sessions</a>
      </Failure>
    );
  if (answer === undefined) return <Skeleton lines={12} />;
  const { data } = answer;
  return (
    <div class="view">
      <h1 class="hidden-text">
        {nameOf(titles[0], data.a.id)} and {nameOf(titles[1], data.b.id)}
      </h1>
      <div class="compare-titles">
        <SessionTitle id={data.a.id} summary={titles[0]} other={data.b.id} />
        <SessionTitle id={data.b.id} summary={titles[1]} other={data.a.id} />
      </div>
      <Divergence data={data} />
      <AlignedSteps
        a={data.a.id}
        b={data.b.id}
        names={{ a: nameOf(titles[0], data.a.id), b: nameOf(titles[1], data.b.id) }}
      />
      <div class="grid pairs">
        <Panel title="Figures">
          <table class="table figure-table">
            <thead>
              <tr>
                <th>figure</th>
                <th class="num cut" title={nameOf(titles[0], data.a.id)}>
                  {nameOf(titles[0], data.a.id)}
                </th>
                <th class="num cut" title={nameOf(titles[1], data.b.id)}>
                  {nameOf(titles[1], data.b.id)}
                </th>
              </tr>
            </thead>
            <tbody>
              <tr>
                <td>cost</td>
                <td class="num">{costOf(titles[0])}</td>
                <td class="num">{costOf(titles[1])}</td>
              </tr>
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
            <LineGroup
              name={`only in ${nameOf(titles[0], data.a.id)}`}
              lines={data.files.only_a}
              more={data.more?.only_a}
            />
            <LineGroup
              name={`only in ${nameOf(titles[1], data.b.id)}`}
              lines={data.files.only_b}
              more={data.more?.only_b}
            />
          </div>
        </Panel>
        <Panel title="Failed calls">
          <div class="panel-body stack">
            <LineGroup
              name={`in ${nameOf(titles[0], data.a.id)}`}
              lines={data.failed_actions.a}
              more={data.more?.failed_a}
            />
            <LineGroup
              name={`in ${nameOf(titles[1], data.b.id)}`}
              lines={data.failed_actions.b}
              more={data.more?.failed_b}
            />
          </div>
        </Panel>
      </div>
    </div>
  );
}

function useTitleOf(id: string | undefined): SessionSummary | undefined {
  return useAnswer('get_session_summary', id === undefined ? undefined : { session_id: id }).answer?.data;
}

function costOf(summary: SessionSummary | undefined): string {
  const cost = summary?.tokens?.cost_usd;
  return cost === undefined ? '–' : `≈ ${moneyText(cost)}`;
}

/** What a session was about; another one can be chosen in its place. */
function SessionTitle(props: {
  readonly id: string;
  readonly summary: SessionSummary | undefined;
  readonly other: string;
}) {
  const { id, summary } = props;
  return (
    <section class="panel panel-body" aria-label={`Session ${id}`}>
      <p>
        <a href={pageLinks.session(id)}>
          <strong>{summary?.title ?? summary?.first_prompt ?? id}</strong>
        </a>
      </p>
      <p class="quiet">
        {id}, {summary?.project?.path} <a href={pageLinks.comparison(props.other)}>Change…</a>
      </p>
    </section>
  );
}

function Divergence({ data }: { readonly data: Comparison }) {
  const at = data.diverge_at;
  if (at === undefined) return <p class="quiet">One session is the beginning of the other.</p>;
  const side = (id: string, place: Place | undefined) =>
    place === undefined ? (
      <span class="quiet">ends there</span>
    ) : (
      <a class="mono" href={pageLinks.session(id, { event: place.event_index })}>
        {place.action}
      </a>
    );
  return (
    <Panel title={at.call === 0 ? 'They diverge at the first call' : `They diverge at call ${at.call}`}>
      <div class="divergence">
        <div>{side(data.a.id, at.a)}</div>
        <div>{side(data.b.id, at.b)}</div>
      </div>
    </Panel>
  );
}

function ToolBars({ tools }: { readonly tools: Comparison['tools'] }) {
  const largest = Math.max(1, ...Object.values(tools).flat());
  return (
    <ul class="tool-bars">
      {Object.entries(tools).map(([name, [a, b]]) => (
        <li key={name}>
          <span class="num">{countText(a)}</span>
          <span class="bar left">
            <span class="bar-fill soft" style={{ width: `${(100 * a) / largest}%` }} />
          </span>
          <span class="mono cut">{name}</span>
          <span class="bar">
            <span class="bar-fill soft" style={{ width: `${(100 * b) / largest}%` }} />
          </span>
          <span class="num">{countText(b)}</span>
        </li>
      ))}
    </ul>
  );
}

/** How many lines are shown at first, and how many each click adds. */
const LINES_SHOWN = 12;
const LINES_ADDED = 200;

function LineGroup(props: {
  readonly name: string;
  readonly lines: readonly string[];
  /** How many more did not fit into the answer. */
  readonly more: number | undefined;
}) {
  const { lines, more = 0 } = props;
  const [shown, setShown] = useState(LINES_SHOWN);
  const left = lines.length - shown;
  return (
    <div>
      <h3>
        {props.name} <span class="quiet">{countText(lines.length + more)}</span>
      </h3>
      <ul class="mono">
        {lines.slice(0, shown).map((line) => (
          <li key={line} class="cut" title={line}>
            <PathText text={line} />
          </li>
        ))}
      </ul>
      {left > 0 && (
        <button type="button" class="button small plain unfold" onClick={() => setShown(shown + LINES_ADDED)}>
          Show more ({countText(left)} left)
        </button>
      )}
      {left <= 0 && more > 0 && <p class="quiet">{countText(more)} more not shown</p>}
    </div>
  );
}
