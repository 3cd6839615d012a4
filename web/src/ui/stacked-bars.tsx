import { useRef, useState } from 'preact/hooks';
import './stacked-bars.css';
import { useWidth } from './use-width.ts';

export interface BarStack {
  readonly key: string;
  /** Below the bar, where there is room. */
  readonly label: string;
  /** In the tip. */
  readonly title: string;
}

export interface BarSeries {
  readonly name: string;
  readonly colour: string;
  /** One value per stack. */
  readonly values: readonly number[];
}

const LEFT = 58;
const BOTTOM = 22;
const TOP = 8;
/** Room for a label and a gap, so that labels never touch. */
const LABEL_WIDTH = 64;
const TIP_WIDTH = 240;

/** Bars over time, each a stack of series; hovering shows the values, clicking a bar opens what it counts. */
export function StackedBars(props: {
  readonly label: string;
  readonly stacks: readonly BarStack[];
  readonly series: readonly BarSeries[];
  readonly height: number;
  readonly format: (value: number) => string;
  readonly onPick: (key: string) => void;
}) {
  const { stacks, series, height, format } = props;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [hovered, setHovered] = useState<number>();
  const totals = stacks.map((_, i) => series.reduce((sum, one) => sum + (one.values[i] ?? 0), 0));
  const ticks = ticksUpTo(Math.max(...totals, 0));
  const most = ticks.at(-1) ?? 1;
  const room = Math.max(1, width - LEFT);
  const slot = room / Math.max(1, stacks.length);
  const y = (value: number) => TOP + (1 - value / most) * (height - TOP - BOTTOM);
  const every = Math.max(1, Math.ceil(LABEL_WIDTH / slot));
  const at = (event: MouseEvent) => {
    const left = box.current?.getBoundingClientRect().left ?? 0;
    const index = Math.floor((event.clientX - left - LEFT) / slot);
    return index >= 0 && index < stacks.length ? index : undefined;
  };
  const shown = hovered === undefined ? undefined : stacks[hovered];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the table by day does the same with the keyboard
    // biome-ignore lint/a11y/useKeyWithClickEvents: the same
    <div
      ref={box}
      class="stacked-bars"
      style={{ height: `${height}px` }}
      onPointerMove={(event) => setHovered(at(event))}
      onPointerLeave={() => setHovered(undefined)}
      onClick={(event) => {
        const stack = stacks[at(event) ?? -1];
        if (stack !== undefined) props.onPick(stack.key);
      }}
    >
      {width > 0 && (
        <svg width={width} height={height} role="img" aria-label={props.label}>
          {ticks.map((tick) => (
            <g key={tick}>
              <line class="bars-grid" x1={LEFT} x2={width} y1={y(tick)} y2={y(tick)} />
              <text class="bars-text" x={LEFT - 8} y={y(tick) + 4} text-anchor="end">
                {format(tick)}
              </text>
            </g>
          ))}
          {shown && (
            <rect
              class="bars-hover"
              x={LEFT + slot * (hovered ?? 0)}
              y={TOP}
              width={slot}
              height={height - TOP - BOTTOM}
            />
          )}
          {stacks.map((stack, i) => (
            <g key={stack.key}>
              {segmentsOf(series, i).map(({ name, colour, from, to }) => (
                <rect
                  key={name}
                  x={LEFT + slot * i + slot * 0.14}
                  width={slot * 0.72}
                  y={y(to)}
                  height={Math.max(0.5, y(from) - y(to))}
                  style={{ fill: colour }}
                />
              ))}
              {(stacks.length - 1 - i) % every === 0 && slot * i + slot / 2 > LABEL_WIDTH / 2 - LEFT && (
                <text
                  class="bars-text bars-label"
                  x={Math.min(width - LABEL_WIDTH / 2 + 8, LEFT + slot * (i + 0.5))}
                  y={height - 6}
                  text-anchor="middle"
                >
                  {stack.label}
                </text>
              )}
            </g>
          ))}
        </svg>
      )}
      {shown && hovered !== undefined && (
        <div class="tip bars-tip" style={tipPlace(LEFT + slot * (hovered + 0.5), slot, width)}>
          <p class="bars-tip-head">
            <strong>{shown.title}</strong>
            <strong class="num">{format(totals[hovered] ?? 0)}</strong>
          </p>
          {series
            .filter((one) => (one.values[hovered] ?? 0) > 0)
            .map((one) => (
              <p key={one.name}>
                <span class="swatch" style={{ background: one.colour }} />
                <span class="cut">{one.name}</span>
                <span class="num">{format(one.values[hovered] ?? 0)}</span>
              </p>
            ))}
        </div>
      )}
    </div>
  );
}

function segmentsOf(series: readonly BarSeries[], i: number) {
  let from = 0;
  return series.flatMap(({ name, colour, values }) => {
    const value = values[i] ?? 0;
    if (value <= 0) return [];
    const segment = { name, colour, from, to: from + value };
    from += value;
    return [segment];
  });
}

/** Beside the bar, on the side that has room. */
function tipPlace(middle: number, slot: number, width: number) {
  const gap = slot / 2 + 6;
  const right = middle + gap + TIP_WIDTH < width;
  return { top: '8px', ...(right ? { left: `${middle + gap}px` } : { right: `${width - middle + gap}px` }) };
}

/** About four round values from 0 up to at least the highest value. */
function ticksUpTo(highest: number): readonly number[] {
  if (highest <= 0) return [0, 1];
  const rough = highest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const count = Math.ceil(highest / step);
  return Array.from({ length: count + 1 }, (_, i) => Number((i * step).toPrecision(12)));
}
