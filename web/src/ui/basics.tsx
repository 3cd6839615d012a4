import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** A share of something as a thin bar. */
export function Bar({ share, tone }: { readonly share: number; readonly tone?: string }) {
  return (
    <span class="bar" aria-hidden="true">
      <span class={`bar-fill ${tone ?? ''}`} style={{ width: `${Math.max(0, Math.min(1, share)) * 100}%` }} />
    </span>
  );
}

export type Tone = 'ok' | 'failed' | 'warning' | 'running' | 'neutral';

/** A short label whose colour has a meaning. */
export function Badge({
  tone = 'neutral',
  children,
}: {
  readonly tone?: Tone | undefined;
  readonly children: ComponentChildren;
}) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

/** A titled block of a view. */
export function Panel(props: {
  readonly title: string;
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
  readonly class?: string;
  /** True until its height is known; what is below it may stay hidden until then. */
  readonly busy?: boolean;
}) {
  return (
    <section class={`panel ${props.class ?? ''}`} aria-busy={props.busy ? 'true' : undefined}>
      <header class="panel-head">
        <h2>{props.title}</h2>
        {props.aside && <div class="panel-aside">{props.aside}</div>}
      </header>
      {props.children}
    </section>
  );
}

export interface TabItem {
  readonly id: string;
  readonly label: string;
  readonly href: string;
}

/** Views of one thing, each with an address. */
export function Tabs(props: {
  readonly label: string;
  readonly items: readonly TabItem[];
  readonly current: string;
}) {
  const list = useRef<HTMLElement>(null);
  // On a narrow screen the current tab may be off-screen. Before the next paint, but not at once: reading a place lays
  // out the page, which may be half drawn.
  useLayoutEffect(() => {
    const frame = requestAnimationFrame(() => {
      const open = list.current?.querySelector<HTMLElement>('[aria-current]');
      if (list.current && open) list.current.scrollLeft = open.offsetLeft - list.current.clientWidth / 2;
    });
    return () => cancelAnimationFrame(frame);
  }, [props.current]);
  return (
    <nav ref={list} class="tabs" aria-label={props.label}>
      {props.items.map((item) => (
        <a key={item.id} href={item.href} aria-current={item.id === props.current ? 'page' : undefined}>
          {item.label}
        </a>
      ))}
    </nav>
  );
}

/** A choice between a few values, as joined buttons. */
export function Choice<Value extends string>(props: {
  readonly label: string;
  readonly options: readonly (readonly [value: Value, label: string])[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}) {
  return (
    <fieldset class="choice">
      <legend class="hidden-text">{props.label}</legend>
      {props.options.map(([value, label]) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === props.value}
          onClick={() => props.onChange(value)}
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}

/** A figure with its label below it. */
export function Figure({
  value,
  label,
  tone,
}: {
  readonly value: string;
  readonly label: string;
  readonly tone?: Tone;
}) {
  return (
    <div class="figure">
      <dd class={tone}>{value}</dd>
      <dt>{label}</dt>
    </div>
  );
}
