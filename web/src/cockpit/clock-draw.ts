import { kindTone } from '../sessions/tool-kinds.ts';
import type { TimelineData } from '../sessions/types.ts';

export const STRIP_HEIGHT = 52;
export const AXIS_HEIGHT = 20;
const TICKS = { top: 34, height: 16 } as const;
const CONTEXT = { top: 4, height: 28 } as const;

/** A moment on the timeline that deserves a look. */
export interface Mark {
  readonly at: number;
  readonly kind: 'clash' | 'loop';
}

export interface StripInput {
  readonly timeline: TimelineData;
  readonly marks: readonly Mark[];
  /** When the call that has no result yet began. */
  readonly pendingSince: number | undefined;
  /** When something was last written; undefined while the session is running. */
  readonly endedAt: number | undefined;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

type Colour = (name: string) => string;

/** A cleared canvas of this size, sharp on every screen. */
function prepared(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D | null {
  const scale = devicePixelRatio || 1;
  const wide = Math.round(width * scale);
  const tall = Math.round(height * scale);
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== tall) canvas.height = tall;
  const context = canvas.getContext('2d');
  context?.setTransform(scale, 0, 0, scale, 0, 0);
  context?.clearRect(0, 0, width, height);
  return context;
}

/** The times of the grid lines: the same for all strips, so that they read as one timeline. */
function gridOf({ from, to }: Span, width: number): readonly number[] {
  const MINUTE = 60_000;
  const steps = [1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE);
  const step = steps.find((ms) => ((to - from) / ms) * 64 <= width) ?? 30 * MINUTE;
  const first = Math.ceil(from / step) * step;
  return Array.from({ length: Math.max(0, Math.floor((to - first) / step) + 1) }, (_, i) => first + i * step);
}

export function drawAxis(
  canvas: HTMLCanvasElement,
  span: Span,
  width: number,
  label: (at: number) => string,
  colour: Colour,
): void {
  const context = prepared(canvas, width, AXIS_HEIGHT);
  if (context === null) return;
  const x = (at: number) => ((at - span.from) / (span.to - span.from)) * width;
  context.font = '11px system-ui, sans-serif';
  context.fillStyle = colour('text-3');
  context.textBaseline = 'middle';
  for (const at of gridOf(span, width)) {
    const text = label(at);
    const wide = context.measureText(text).width;
    const left = x(at) - wide / 2;
    if (left > 0 && left + wide < width - 34) context.fillText(text, left, AXIS_HEIGHT / 2);
  }
  context.textAlign = 'right';
  context.fillStyle = colour('running');
  context.fillText('now', width - 2, AXIS_HEIGHT / 2);
  context.textAlign = 'left';
}

/** One agent's strip: its context as an area, its calls as ticks, its current call as a growing bar. */
export function drawStrip(
  canvas: HTMLCanvasElement,
  input: StripInput,
  span: Span,
  width: number,
  colour: Colour,
): void {
  const context = prepared(canvas, width, STRIP_HEIGHT);
  if (context === null) return;
  const x = (at: number) => ((at - span.from) / (span.to - span.from)) * width;
  context.fillStyle = colour('border');
  for (const at of gridOf(span, width)) context.fillRect(Math.round(x(at)), 0, 1, STRIP_HEIGHT);
  drawContext(context, input, span, width, x, colour);
  const { calls, kinds } = input.timeline;
  const bottom = TICKS.top + TICKS.height;
  for (let i = calls.time.length - 1; i >= 0; i--) {
    const at = calls.time[i] ?? 0;
    if (at < span.from - 1_000) break;
    const failed = calls.status[i] === 1;
    const tall = failed ? TICKS.height : TICKS.height * 0.75;
    context.fillStyle = colour(failed ? 'failed' : kindTone(kinds[calls.kind[i] ?? -1] ?? ''));
    context.fillRect(x(at) - 1.5, bottom - tall, 3, tall);
  }
  if (input.pendingSince !== undefined) {
    const left = Math.max(0, x(input.pendingSince));
    context.globalAlpha = 0.35;
    context.fillStyle = colour('running');
    context.fillRect(left, bottom - 7, Math.max(2, width - left), 7);
    context.globalAlpha = 1;
  }
  for (const mark of input.marks) drawMark(context, mark, Math.max(6, x(mark.at)), colour);
}

function drawContext(
  context: CanvasRenderingContext2D,
  { timeline, endedAt }: StripInput,
  span: Span,
  width: number,
  x: (at: number) => number,
  colour: Colour,
): void {
  const { responses, context_window } = timeline;
  const most = context_window ?? Math.max(1, ...responses.context);
  const base = CONTEXT.top + CONTEXT.height;
  const y = (tokens: number) => base - Math.min(1, tokens / most) * CONTEXT.height;
  const count = responses.time.length;
  if (count === 0) return;
  let first = count - 1;
  while (first > 0 && (responses.time[first] ?? 0) > span.from) first--;
  const end = endedAt === undefined ? width : Math.min(width, x(endedAt));
  const start = Math.max(0, x(responses.time[first] ?? span.from));
  if (end <= start) return;
  context.beginPath();
  context.moveTo(start, base);
  let level = y(responses.context[first] ?? 0);
  context.lineTo(start, level);
  for (let i = first + 1; i < count; i++) {
    const at = x(responses.time[i] ?? 0);
    context.lineTo(at, level);
    level = y(responses.context[i] ?? 0);
    context.lineTo(at, level);
  }
  context.lineTo(end, level);
  context.lineTo(end, base);
  context.closePath();
  context.globalAlpha = 0.28;
  context.fillStyle = colour('c7');
  context.fill();
  context.globalAlpha = 1;
  if (endedAt !== undefined) return;
  context.beginPath();
  context.arc(width - 4, level, 3, 0, 2 * Math.PI);
  context.fillStyle = colour('running');
  context.fill();
}

/** A clash is a diamond, a loop a ring; a line leads down to the calls. */
function drawMark(context: CanvasRenderingContext2D, { kind }: Mark, at: number, colour: Colour): void {
  const tone = colour(kind === 'clash' ? 'failed' : 'warning');
  context.fillStyle = tone;
  context.strokeStyle = tone;
  context.fillRect(at - 0.75, 12, 1.5, STRIP_HEIGHT - 12);
  context.beginPath();
  if (kind === 'clash') {
    context.moveTo(at, 1);
    context.lineTo(at + 6, 7);
    context.lineTo(at, 13);
    context.lineTo(at - 6, 7);
    context.closePath();
    context.fill();
    return;
  }
  context.lineWidth = 2;
  context.arc(at, 7, 4.5, 0.4, 2 * Math.PI - 0.4);
  context.stroke();
}
