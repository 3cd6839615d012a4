import { effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { colour, theme } from '../frame/theme.ts';
import { moment } from './clock.ts';
import type { Span } from './clock-draw.ts';

type Draw = (canvas: HTMLCanvasElement, span: Span, width: number, colour: (name: string) => string) => void;

/** A canvas whose right edge is now: redrawn as time passes, without rendering anything else. */
export function ClockCanvas(props: {
  readonly spanMs: number;
  readonly height: number;
  readonly draw: Draw;
}) {
  const { spanMs, height } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const draw = useRef(props.draw);
  draw.current = props.draw;
  useEffect(() => {
    const element = canvas.current;
    const box = element?.parentElement;
    if (!element || !box) return;
    let colours = new Map<string, string>();
    let width = box.clientWidth;
    const observer = new ResizeObserver(() => {
      width = box.clientWidth;
    });
    observer.observe(box);
    const read = (name: string) => {
      const value = colours.get(name) ?? colour(name);
      colours.set(name, value);
      return value;
    };
    let shownTheme = theme.value;
    const stop = effect(() => {
      const to = moment.value;
      if (theme.value !== shownTheme) colours = new Map();
      shownTheme = theme.value;
      if (width > 0) draw.current(element, { from: to - spanMs, to }, width, read);
    });
    return () => {
      stop();
      observer.disconnect();
    };
  }, [spanMs]);
  return (
    <div class="clock-canvas" style={{ height: `${height}px` }} aria-hidden="true">
      <canvas ref={canvas} />
    </div>
  );
}
