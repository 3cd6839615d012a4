import { countText, durationText, shortCount } from '../../../src/contract/people.ts';
import { useAnswer } from '../data/use-answer.ts';
import { href, param } from '../frame/router.ts';
import { Panel } from '../ui/basics.tsx';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { shortTime } from '../ui/time.tsx';
import { providerName } from './provider-mark.tsx';
import type { Comparison } from './types.ts';

type Side = Comparison['a'];
type Place = NonNullable<NonNullable<Comparison['parts_at']>['a']>;

const ROWS: readonly (readonly [string, (side: Side) => string | number, 'less' | 'more' | undefined])[] = [
  ['client', (side) => `${providerName(side.provider)} ${side.model ?? ''}`, undefined],
  ['start', (side) => shortTime(side.start_time), undefined],
  ['duration', (side) => durationText(side.duration_seconds), undefined],
  ['turns', (side) => countText(side.turns), undefined],
  ['steps', (side) => countText(side.steps), undefined],
  ['tool calls', (side) => countText(side.tool_calls), undefined],
  ['failed calls', (side) => countText(side.failures), undefined],
  ['tokens', (side) => shortCount(side.tokens), undefined],
  ['score', (side) => side.score, undefined],
];

/** Two sessions side by side, and where they part. */
export function ComparePage() {
  const a = param('a');
  const b = param('b');
  const { answer, error, reload } = useAnswer<Comparison>(
    a === undefined || b === undefined ? undefined : href('/api/agent-compare', { a, b }),
  );
  if (a === undefined || b === undefined)
    return <Empty title="Pick two sessions in the list to compare them." />;
  if (error) return <Failure error={error} retry={reload} />;
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
      <div class="grid">
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
        <Panel title="Files">
          <div class="panel-body stack">
            <FileGroup name="in both" files={data.files.both} />
            <FileGroup name={`only in ${data.a.id}`} files={data.files.only_a} />
            <FileGroup name={`only in ${data.b.id}`} files={data.files.only_b} />
          </div>
        </Panel>
        <Panel title="What failed">
          <div class="panel-body stack">
            <FileGroup name={data.a.id} files={data.failed_actions.a} />
            <FileGroup name={data.b.id} files={data.failed_actions.b} />
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
          <span class="num">{a}</span>
          <span class="bar left">
            <span class="bar-fill soft" style={{ width: `${(100 * a) / most}%` }} />
          </span>
          <span class="mono cut">{name}</span>
          <span class="bar">
            <span class="bar-fill soft" style={{ width: `${(100 * b) / most}%` }} />
          </span>
          <span class="num">{b}</span>
        </li>
      ))}
    </ul>
  );
}

function FileGroup({ name, files }: { readonly name: string; readonly files: readonly string[] }) {
  return (
    <div>
      <h3>{name}</h3>
      {files.length === 0 && <p class="quiet">none</p>}
      <ul class="mono">
        {files.map((file) => (
          <li key={file} class="cut" title={file}>
            {file}
          </li>
        ))}
      </ul>
    </div>
  );
}
