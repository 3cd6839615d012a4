import { shortCount } from '../ui/format.ts';
import { kindTone } from './tool-kinds.ts';
import type { TimelineData, TurnCard } from './types.ts';

const CONTEXT = { top: 4, height: 46 } as const;
const TURNS = { top: 56, height: 34 } as const;
const TICKS = { top: 108, height: 26 } as const;
/** The name of the calls is above them: it would cover the first ones. */
const TICKS_LABEL_TOP = 93;
export const HEIGHT = 138;

/** The horizontal axis of the strips: events, so that idle hours take no space, or time. */
export type Axis = 'event' | 'time';

export interface Call {
  readonly event: number;
  /** Its position on the axis. */
  readonly at: number;
  readonly ms: number;
  readonly turn: number;
  readonly step: number;
  readonly name: string;
  readonly kind: string;
  /** 1 means failed. */
  readonly status: number;
  /** Milliseconds; undefined where it is not known. */
  readonly tookMs: number | undefined;
}

export interface StripModel {
  readonly last: number;
  readonly calls: readonly Call[];
  readonly failed: number;
  readonly context: readonly { readonly at: number; readonly tokens: number }[];
  readonly peak: number;
  readonly window: number | undefined;
  readonly turns: readonly {
    readonly from: number;
    readonly to: number;
    /** Absent where the log has none per response. */
    readonly tokens: number | undefined;
    readonly seconds: number | undefined;
    readonly bad: boolean;
    readonly index: number;
  }[];
}

/** The session laid out by events or by time. */
export function stripModel(
  timeline: TimelineData,
  turns: readonly TurnCard[],
  events: number,
  axis: Axis = 'event',
): StripModel {
  const { calls, responses } = timeline;
  const starts = turns.map((turn) => Date.parse(turn.start_time));
  const begin = Math.min(starts[0] ?? Infinity, calls.time[0] ?? Infinity, responses.time[0] ?? Infinity);
  const byTime = axis === 'time' && Number.isFinite(begin);
  const at = (event: number, ms: number) => (byTime ? Math.max(0, ms - begin) : event);
  const last = byTime
    ? Math.max(
        1,
        ...[...calls.time.slice(-1), ...responses.time.slice(-1), ...starts.slice(-1)].map(
          (ms) => ms - begin,
        ),
      )
    : Math.max(1, events - 1, ...calls.event.slice(-1), ...responses.event.slice(-1));
  const made = calls.event.map(
    (event, i): Call => ({
      event,
      at: at(event, calls.time[i] ?? 0),
      ms: calls.time[i] ?? 0,
      turn: calls.turn[i] ?? 0,
      step: calls.step[i] ?? 0,
      name: timeline.names[calls.name[i] ?? 0] ?? '',
      kind: timeline.kinds[calls.kind[i] ?? 0] ?? '',
      status: calls.status[i] ?? 0,
      tookMs: known(calls.duration[i]),
    }),
  );
  const context = responses.event
    .map((event, i) => ({ at: at(event, responses.time[i] ?? 0), tokens: responses.context[i] ?? 0 }))
    .sort((a, b) => a.at - b.at);
  return {
    last,
    calls: made.sort((a, b) => a.at - b.at),
    failed: made.filter((call) => call.status === 1).length,
    context,
    window: timeline.context_window,
    peak: context.reduce((most, { tokens }) => Math.max(most, tokens), 0),
    turns: turns.map((turn, i) => ({
      from: at(turn.event_index, starts[i] ?? 0),
      to: i + 1 < turns.length ? at(turns[i + 1]?.event_index ?? 0, starts[i + 1] ?? 0) : last,
      tokens: turn.tokens,
      seconds: turn.duration_seconds,
      bad: turn.outcome === 'failed',
      index: turn.turn_index,
    })),
  };
}

function known(duration: number | undefined): number | undefined {
  return duration === undefined || duration < 0 ? undefined : duration;
}

/** What each of the three strips shows, with the value of its full height. */
export function stripLabels(model: StripModel): readonly { readonly top: number; readonly text: string }[] {
  const most = Math.max(0, ...model.turns.map((turn) => turn.tokens ?? 0));
  return [
    { top: CONTEXT.top, text: `context, up to ${shortCount(model.peak)} tokens` },
    { top: TURNS.top, text: `tokens per turn, up to ${shortCount(most)}` },
    { top: TICKS_LABEL_TOP, text: 'calls' },
  ];
}

/** The axis position at an x coordinate. */
export function axisAt(model: StripModel, x: number, width: number): number {
  return (Math.max(0, Math.min(width, x)) / Math.max(1, width)) * model.last;
}

/** The call nearest to an axis position; calls are sorted. */
export function nearest(model: StripModel, place: number): Call | undefined {
  let low = 0;
  let high = model.calls.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((model.calls[middle]?.at ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  const after = model.calls[low];
  const before = model.calls[low - 1];
  if (after === undefined || before === undefined) return after ?? before;
  return place - before.at < after.at - place ? before : after;
}

/** Which of the strips is at a height; the space between two belongs to the one below. */
export function stripAt(y: number): 'context' | 'turns' | 'calls' {
  if (y < CONTEXT.top + CONTEXT.height) return 'context';
  return y < TURNS.top + TURNS.height ? 'turns' : 'calls';
}

/** The turn at a place on the axis. */
export function turnAt(model: StripModel, place: number): StripModel['turns'][number] | undefined {
  return model.turns.findLast(({ from }) => from <= place) ?? model.turns[0];
}

/** The context size at an axis position. */
export function contextAt(model: StripModel, place: number): number {
  return model.context.findLast(({ at }) => at <= place)?.tokens ?? 0;
}

export function drawStrips(
  canvas: HTMLCanvasElement,
  model: StripModel,
  width: number,
  current: number,
  colourOf: (name: string) => string,
): void {
  const known = new Map<string, string>();
  const colour = (name: string) => {
    const value = known.get(name) ?? colourOf(name);
    known.set(name, value);
    return value;
  };
  const scale = devicePixelRatio || 1;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(HEIGHT * scale);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${HEIGHT}px`;
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, HEIGHT);
  const x = (at: number) => (at / model.last) * width;

  const here = model.turns.find((turn) => turn.index === current);
  if (here !== undefined) {
    context.fillStyle = colour('accent-soft');
    context.fillRect(x(here.from), 0, Math.max(2, x(here.to) - x(here.from)), HEIGHT);
  }
  drawContext(context, model, width, x, colour('c7'));
  const most = Math.max(1, ...model.turns.map((turn) => turn.tokens ?? 0));
  for (const turn of model.turns) {
    const left = x(turn.from);
    const wide = Math.max(1, x(turn.to) - left - 1);
    const tall = Math.max(1, ((turn.tokens ?? 0) / most) * TURNS.height);
    context.fillStyle = colour(turn.bad ? 'failed' : 'c1');
    context.fillRect(left, TURNS.top + TURNS.height - tall, wide, tall);
  }
  const tick = Math.max(1, Math.min(3, width / Math.max(1, model.calls.length)));
  for (const call of model.calls) {
    const bad = call.status === 1;
    context.fillStyle = colour(bad ? 'failed' : kindTone(call.kind));
    const tall = bad ? TICKS.height : TICKS.height * 0.7;
    context.fillRect(x(call.at), TICKS.top + TICKS.height - tall, tick, tall);
  }
}

function drawContext(
  context: CanvasRenderingContext2D,
  model: StripModel,
  width: number,
  x: (at: number) => number,
  tone: string,
): void {
  if (model.peak === 0) return;
  const base = CONTEXT.top + CONTEXT.height;
  const y = (tokens: number) => base - (tokens / model.peak) * CONTEXT.height;
  context.beginPath();
  context.moveTo(0, base);
  let level = base;
  for (const { at, tokens } of model.context) {
    // The context stays the same until the next response: steps, not slopes.
    context.lineTo(x(at), level);
    level = y(tokens);
    context.lineTo(x(at), level);
  }
  context.lineTo(width, level);
  context.lineTo(width, base);
  context.closePath();
  context.globalAlpha = 0.35;
  context.fillStyle = tone;
  context.fill();
  context.globalAlpha = 1;
}
