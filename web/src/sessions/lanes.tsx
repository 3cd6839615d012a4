import { useEffect, useRef, useState } from 'preact/hooks';
import { useAnswer } from '../data/use-answer.ts';
import { colour, theme } from '../frame/theme.ts';
import { countOf, countText, shortCount } from '../ui/format.ts';
import { type Lane, laneLayout } from './lanes-layout.ts';
import { isOpen, showSubagent } from './open-subagents.ts';
import { kindTone } from './tool-kinds.ts';
import type { SubagentCard, TimelineData } from './types.ts';

const ROW = 34;
const TICKS = 6;
/** How many rows are shown at first, and how many each click adds: each lane loads its own calls. */
const ROWS_SHOWN = 4;
const ROWS_ADDED = 12;

/** The subagents of a session, below the calls that started them, each with its own calls as ticks. */
export function Lanes(props: {
  readonly agents: readonly SubagentCard[];
  readonly eventOf: (agent: SubagentCard) => number;
  readonly last: number;
  readonly width: number;
  /** Counts up when a subagent has new events. */
  readonly version: number;
}) {
  const [asked, setAsked] = useState(ROWS_SHOWN);
  const lanes = laneLayout(props.agents, props.eventOf, props.last, props.width);
  const rows = Math.max(0, ...lanes.map(({ row }) => row + 1));
  const shown = Math.min(rows, asked);
  const left = lanes.filter(({ row }) => row >= shown).length;
  return (
    <>
      <ul class="lanes" aria-label="Subagents" style={{ height: `${shown * ROW}px` }}>
        {lanes
          .filter(({ row }) => row < shown)
          .map((lane) => (
            <LaneBox key={lane.agent.id} lane={lane} version={props.version} />
          ))}
      </ul>
      {rows > ROWS_SHOWN && (
        <button
          type="button"
          class="button small plain unfold"
          aria-expanded={left === 0}
          onClick={() => setAsked(left === 0 ? ROWS_SHOWN : asked + ROWS_ADDED)}
        >
          {left === 0 ? 'Show fewer subagents' : `Show more (${countOf(left, 'subagent')} left)`}
        </button>
      )}
    </>
  );
}

function LaneBox({ lane, version }: { readonly lane: Lane; readonly version: number }) {
  const { agent } = lane;
  const canvas = useRef<HTMLCanvasElement>(null);
  const timeline = useAnswer('session_timeline', { session_id: agent.id }, { version });
  const data = timeline.answer?.data;
  useEffect(() => {
    if (canvas.current !== null && data) drawTicks(canvas.current, data, lane.width - 8);
  }, [data, lane.width, theme.value]);
  return (
    <li style={{ left: `${lane.left}px`, top: `${lane.row * ROW}px`, width: `${lane.width}px` }}>
      <button
        type="button"
        class="lane"
        aria-expanded={isOpen(agent.id)}
        title={`${agent.name ?? 'subagent'} ${agent.id}: ${agent.task}`}
        onClick={() => showSubagent(agent)}
      >
        <span class="lane-words">
          <strong>{agent.name ?? 'subagent'}</strong>
          <span class="quiet cut">{agent.task}</span>
          {agent.failures > 0 && <span class="failed">{countText(agent.failures)} failed</span>}
          <span class="quiet">{agent.total_tokens !== undefined && shortCount(agent.total_tokens)}</span>
        </span>
        <canvas ref={canvas} />
      </button>
    </li>
  );
}

/** Draws the calls of a subagent in order, over the width of its lane. */
function drawTicks(canvas: HTMLCanvasElement, { calls, kinds }: TimelineData, width: number): void {
  const scale = devicePixelRatio || 1;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(TICKS * scale);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${TICKS}px`;
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  const tones = kinds.map((kind) => colour(kindTone(kind)));
  const failed = colour('failed');
  const step = width / Math.max(12, calls.event.length);
  for (const [at, kind] of calls.kind.entries()) {
    context.fillStyle = calls.status[at] === 1 ? failed : (tones[kind] ?? failed);
    context.fillRect(at * step, 0, Math.max(1, Math.min(4, step - 1)), TICKS);
  }
}
