import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { go, param, withQuery } from '../frame/router.ts';
import { colour, theme } from '../frame/theme.ts';
import { Choice } from '../ui/basics.tsx';
import { countOf, shortCount } from '../ui/format.ts';
import { Lanes } from './lanes.tsx';
import { type Axis, axisAt, drawStrips, HEIGHT, nearest, stripLabels, stripModel } from './strips-draw.ts';
import { stripTip } from './strips-tip.ts';
import { kindsByTone } from './tool-kinds.ts';
import type { SubagentCard, TimelineData, TurnCard } from './types.ts';
import './strips.css';
import { useWidth } from '../ui/use-width.ts';

const AXES = [
  ['event', 'By event'],
  ['time', 'By time'],
] as const;

/**
 * The whole session at a glance: context size, tokens per turn, and calls in order; a click goes to the call. The list
 * of turns beside the transcript does the same with the keyboard.
 */
export function Strips(props: {
  readonly timeline: TimelineData;
  readonly subagents: readonly SubagentCard[];
  readonly turns: readonly TurnCard[];
  readonly events: number;
  /** Counts up when a subagent has new events. */
  readonly version: number;
}) {
  const { timeline, turns, events } = props;
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useWidth(box);
  const [tip, setTip] = useState<{ readonly x: number; readonly text: string } | undefined>();
  const axis: Axis = param('axis') === 'time' ? 'time' : 'event';
  const model = useMemo(() => stripModel(timeline, turns, events, axis), [timeline, turns, events, axis]);
  const turn = Number(param('turn') ?? -1);

  useEffect(() => {
    if (canvas.current !== null && width > 0) drawStrips(canvas.current, model, width, turn, colour);
  }, [model, width, turn, theme.value]);

  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const stop = new AbortController();
    const place = (event: MouseEvent) => event.clientX - element.getBoundingClientRect().left;
    const onAxis = (event: MouseEvent) => axisAt(model, place(event), element.clientWidth);
    const listen = { signal: stop.signal };
    element.addEventListener(
      'click',
      (event) => {
        const found = nearest(model, onAxis(event));
        if (found !== undefined)
          go(withQuery({ turn: found.turn, step: found.step, event: found.event, show: undefined }));
      },
      listen,
    );
    element.addEventListener(
      'mousemove',
      (event) => {
        const text = stripTip(model, onAxis(event), event.clientY - element.getBoundingClientRect().top);
        setTip(text === undefined ? undefined : { x: place(event), text });
      },
      listen,
    );
    element.addEventListener('mouseleave', () => setTip(undefined), listen);
    return () => stop.abort();
  }, [model]);

  return (
    <figure
      class="strips panel"
      aria-label={describe(model.peak, model.calls.length, model.failed, turns.length)}
    >
      <div ref={box} class="strips-box" style={{ height: `${HEIGHT}px` }}>
        <canvas ref={canvas} />
        {stripLabels(model).map(({ top, text }) => (
          <span key={text} class="strip-label" aria-hidden="true" style={{ top: `${top}px` }}>
            {text}
          </span>
        ))}
        {tip && (
          <span class="tip" style={{ left: `min(${tip.x + 10}px, calc(100% - 240px))`, top: '4px' }}>
            {tip.text}
          </span>
        )}
      </div>
      {props.subagents.length > 0 && width > 0 && (
        <div class="strips-lanes">
          <Lanes
            agents={props.subagents}
            eventOf={(agent) =>
              model.calls.find(({ event }) => event === agent.event)?.at ??
              model.turns.find(({ index }) => index === agent.turn)?.from ??
              0
            }
            last={model.last}
            width={width}
            version={props.version}
          />
        </div>
      )}
      <figcaption class="legend">
        <Choice
          label="Axis"
          options={AXES}
          value={axis}
          onChange={(value) => go(withQuery({ axis: value === 'event' ? undefined : value }))}
        />
        {[...kindsByTone(timeline.kinds)].map(([tone, kinds]) => (
          <span key={tone} class="legend-item">
            <span class="swatch" style={{ background: `var(--${tone})` }} />
            {kinds.join(', ')}
          </span>
        ))}
        <span class="legend-item">
          <span class="swatch" style={{ background: 'var(--failed)' }} />
          failed
        </span>
      </figcaption>
    </figure>
  );
}

function describe(peak: number, calls: number, failed: number, turns: number): string {
  return `${countOf(turns, 'turn')}, ${countOf(calls, 'call')}, ${failed} failed, context up to ${shortCount(peak)} tokens`;
}
