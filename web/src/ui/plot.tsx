import { useEffect, useRef, useState } from 'preact/hooks';
import type uPlot from 'uplot';
import { colour, theme } from '../frame/theme.ts';
import { loadPlot } from './load-plot.ts';
import { DAY, localTime, tickLabels } from './tick-labels.ts';

export interface PlotSeries {
  readonly label: string;
  /** The name of a colour in the style sheet. */
  readonly tone: string;
  readonly values: readonly (number | null)[];
  readonly kind?: 'line' | 'area' | 'bars';
}

export interface PlotProps {
  readonly label: string;
  /** Seconds since 1970, ascending. */
  readonly times: readonly number[];
  readonly series: readonly PlotSeries[];
  readonly height: number;
  readonly format: (value: number) => string;
  /** The values are sizes in units of 1,024. */
  readonly binary?: boolean;
}

/** Values over time. The plotting code is loaded when the first plot is shown. */
export function Plot(props: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  const { times, series, height, format } = props;
  useEffect(() => {
    const element = box.current;
    if (element === null || times.length === 0) return;
    let plot: uPlot | undefined;
    let gone = false;
    const resize = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height }));
    loadPlot().then(
      (UPlot) => {
        if (gone) return;
        const data: uPlot.AlignedData = [[...times], ...series.map(({ values }) => [...values])];
        plot = new UPlot(plotOptions(UPlot, props, element.clientWidth), data, element);
        resize.observe(element);
      },
      // Without the plot, the page still has a table with the same figures.
      () => setFailed(true),
    );
    return () => {
      gone = true;
      resize.disconnect();
      plot?.destroy();
    };
  }, [times, series, height, theme.value]);
  if (failed) return null;
  return (
    <div class="plot-box">
      <div ref={box} class="plot" role="img" aria-label={props.label} style={{ minHeight: `${height}px` }} />
      {series.length > 1 && (
        <ul class="legend">
          {series.map(({ label, tone }) => (
            <li key={label}>
              <span class="swatch" style={{ background: `var(--${tone})` }} />
              {label}
            </li>
          ))}
        </ul>
      )}
      <span class="hidden-text">{summary(series, format)}</span>
    </div>
  );
}

/** The plot as text, for screen readers. */
function summary(series: readonly PlotSeries[], format: (value: number) => string): string {
  return series
    .map(({ label, values }) => {
      const numbers = values.filter((value) => value !== null);
      return `${label}: highest ${format(Math.max(0, ...numbers))}, last ${format(numbers.at(-1) ?? 0)}.`;
    })
    .join(' ');
}

/** Round steps for sizes in units of 1,024. */
const BINARY_STEPS = Array.from({ length: 60 }, (_, power) => 2 ** power);

/** Each bar is a day with its label below it; both ends leave room for half a bar. */
function dayAxis(times: readonly number[]): { readonly axis: uPlot.Axis; readonly scale: uPlot.Scale } {
  return {
    axis: {
      splits: (plot) => {
        const most = Math.max(1, Math.floor(plot.bbox.width / devicePixelRatio / 70));
        const every = Math.ceil(times.length / most);
        return times.filter((_, at) => (times.length - 1 - at) % every === 0);
      },
      values: (_plot, shown) => shown.map((time) => localTime(time).slice(5, 10)),
    },
    scale: { range: (_plot, min, max) => [min - DAY * 0.6, max + DAY * 0.6] },
  };
}

function plotOptions(UPlot: typeof uPlot, props: PlotProps, width: number): uPlot.Options {
  const text = colour('text-3');
  const grid = { stroke: colour('border'), width: 1 };
  const font = '11px system-ui, sans-serif';
  const bars = UPlot.paths.bars?.({ size: [0.7, 40], align: 0 });
  const days = props.series.some(({ kind }) => kind === 'bars') ? dayAxis(props.times) : undefined;
  return {
    width,
    height: props.height,
    legend: { show: false },
    cursor: { y: false, points: { show: true }, drag: { setScale: false, x: false, y: false } },
    axes: [
      {
        stroke: text,
        grid: { show: false },
        ticks: grid,
        font,
        space: 70,
        values: (_plot, ticks) => tickLabels(ticks, props.times),
        ...days?.axis,
      },
      {
        stroke: text,
        grid,
        ticks: { show: false },
        font,
        size: 62,
        values: (_plot, values) => values.map((value) => props.format(value)),
        ...(props.binary ? { incrs: BINARY_STEPS } : {}),
      },
    ],
    scales: {
      ...(days && { x: days.scale }),
      y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.05 : 1] },
    },
    series: [
      {},
      ...props.series.map(({ label, tone, kind }): uPlot.Series => {
        const stroke = colour(tone);
        return {
          label,
          stroke,
          width: 1.5,
          points: { show: props.times.length < 3 && kind !== 'bars' },
          ...(kind === 'bars' && bars ? { paths: bars, fill: stroke } : {}),
          ...(kind === 'area' ? { fill: `${stroke}33` } : {}),
        };
      }),
    ],
  };
}
