import { useAnswer } from '../data/use-answer.ts';
import { go, pageLinks, param, withQuery } from '../frame/router.ts';
import { cardsOf, LISTED_FIELDS, lastMsOf } from '../sessions/session-cards.ts';
import { Choice, Figure, Panel } from '../ui/basics.tsx';
import { countText, moneyText } from '../ui/format.ts';
import { MiddleCut } from '../ui/middle-cut.tsx';
import { Empty, Skeleton } from '../ui/states.tsx';
import { Ago, shortTime } from '../ui/time.tsx';
import { AgentRow } from './agent-row.tsx';
import { useClock } from './clock.ts';
import { ClockCanvas } from './clock-canvas.tsx';
import { AXIS_HEIGHT, drawAxis, type Mark } from './clock-draw.ts';
import type { Clash, Edit } from './trouble.ts';
import { Author, TroubleList } from './trouble-list.tsx';
import { type Agent, type Cockpit, useAgents } from './use-agents.ts';
import { WorkMap } from './work-map.tsx';
import './cockpit.css';

const SPANS = [
  ['5', '5 minutes'],
  ['15', '15 minutes'],
  ['60', '1 hour'],
] as const;
const HOUR_MS = 3_600_000;
const EDITS_SHOWN = 9;

/** All agents running on this machine, on one timeline. */
export default function CockpitPage() {
  useClock();
  const minutes = SPANS.find(([id]) => id === param('span'))?.[0] ?? '15';
  const spanMs = Number(minutes) * 60_000;
  const cockpit = useAgents(spanMs);
  const { agents } = cockpit;
  return (
    <div class="view cockpit">
      <div class="view-head">
        <h1>Cockpit</h1>
        <p class="quiet wide-only">Every agent that works on this machine, live.</p>
        <span class="spacer" />
        <Choice
          label="Time shown"
          options={SPANS}
          value={minutes}
          onChange={(value) => go(withQuery({ span: value === '15' ? undefined : value }), { replace: true })}
        />
      </div>
      {agents === undefined && <Skeleton lines={10} />}
      {agents?.length === 0 && <Nobody />}
      {agents !== undefined && agents.length > 0 && (
        <Instruments {...cockpit} agents={agents} spanMs={spanMs} />
      )}
    </div>
  );
}

function Instruments(props: Cockpit & { readonly agents: readonly Agent[]; readonly spanMs: number }) {
  const { agents, edits, clashes, spanMs } = props;
  const running = agents.filter((agent) => agent.running);
  const loops = running.flatMap((agent) => agent.loops);
  const costs = agents.flatMap(({ cost }) => cost ?? []);
  const perHour = (costs.reduce((sum, cost) => sum + cost, 0) * HOUR_MS) / spanMs;
  const files = new Set(edits.map(({ path }) => path)).size;
  const trouble = clashes.length + loops.length;
  return (
    <>
      <dl class="figures cockpit-figures">
        <Figure
          value={countText(running.length)}
          label={running.length === 1 ? 'agent running' : 'agents running'}
        />
        <Figure value={costs.length === 0 ? '–' : `≈ ${moneyText(perHour)}`} label="per hour at this pace" />
        <Figure value={countText(files)} label={files === 1 ? 'file edited' : 'files edited'} />
        <Figure
          value={countText(trouble)}
          label={trouble === 1 ? 'place to look at' : 'places to look at'}
          {...(trouble > 0 ? { tone: 'warning' } : {})}
        />
      </dl>
      <section class="panel clock-panel" aria-label="Agents on one clock">
        <div class="agent-row clock-head">
          <span class="quiet">agent</span>
          <ClockCanvas
            spanMs={spanMs}
            height={AXIS_HEIGHT}
            draw={(canvas, span, width, colour) => drawAxis(canvas, span, width, shortTime, colour)}
          />
          <span class="quiet">context</span>
          <span class="quiet num">cost</span>
        </div>
        <ul class="agent-rows">
          {agents.map((agent) => (
            <AgentRow
              key={agent.card.id}
              agent={agent}
              spanMs={spanMs}
              marks={marksOf(agent, clashes)}
              lastEdit={edits.findLast(({ session }) => session === agent.card.id)}
            />
          ))}
        </ul>
      </section>
      <div class="cockpit-below">
        <Panel title="Files they work on" aside={<span>lit: edited; glowing: in the last minute</span>}>
          <WorkMap agents={agents} edits={edits} />
        </Panel>
        <div class="stack">
          {trouble > 0 && (
            <Panel title="Worth a look">
              <TroubleList agents={agents} clashes={clashes} loops={loops} />
            </Panel>
          )}
          <LastEdits agents={agents} edits={edits} />
        </div>
      </div>
    </>
  );
}

function marksOf(agent: Agent, clashes: readonly Clash[]): readonly Mark[] {
  const own = clashes.flatMap(({ edits }) => edits.filter(({ session }) => session === agent.card.id));
  return [
    ...own.map(({ at }): Mark => ({ at, kind: 'clash' })),
    ...(agent.running ? agent.loops.map(({ at }): Mark => ({ at, kind: 'loop' })) : []),
  ];
}

function LastEdits({
  agents,
  edits,
}: {
  readonly agents: readonly Agent[];
  readonly edits: readonly Edit[];
}) {
  const agentOf = new Map(agents.map((agent) => [agent.card.id, agent]));
  return (
    <Panel title="Last edits">
      {edits.length === 0 && <p class="hint-line">No file was edited in this time.</p>}
      <ul class="rows">
        {edits
          .slice(-EDITS_SHOWN)
          .reverse()
          .map((edit) => (
            <li key={`${edit.session} ${edit.event} ${edit.path}`}>
              <p class="edit-head">
                <a class="mono" href={pageLinks.fileHistory(edit.path)} title={edit.path}>
                  <MiddleCut text={edit.path} />
                </a>
                <span class="num edit-counts">
                  <span class="ok">+{edit.added}</span> <span class="failed">−{edit.removed}</span>
                </span>
              </p>
              <Author agent={agentOf.get(edit.session)} edit={edit}>
                <Ago at={edit.at} />
              </Author>
            </li>
          ))}
      </ul>
    </Panel>
  );
}

/** Says what this page would show, and who worked last. */
function Nobody() {
  const { answer } = useAnswer('list_sessions', { limit: 5, fields: LISTED_FIELDS });
  const last = answer ? cardsOf(answer.data) : [];
  return (
    <>
      <Empty title="No agent is running.">
        <p>
          Start an agent and it appears here within a second: a strip of its calls that moves with the clock,
          how full its context is, what it costs per hour, and the files it edits. A mark shows where two
          agents change the same file, or where one repeats itself.
        </p>
      </Empty>
      {last.length > 0 && (
        <Panel title="Last to run">
          <ul class="rows">
            {last.map((card) => (
              <li key={card.id} class="author">
                <a class="cut" href={pageLinks.session(card.id)}>
                  {card.title ?? (card.snippet || card.id)}
                </a>
                <span class="quiet">
                  <Ago at={lastMsOf(card)} />
                </span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  );
}
