import {
  elementScroll,
  measureElement,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/virtual-core';
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useEnd } from './use-end.ts';
import { useHeldRow } from './use-held-row.ts';
import { useKeptScroll } from './use-kept-scroll.ts';
import './virtual-list.css';

export interface VirtualListProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, index: number) => string | number;
  /** Height of a row before it is measured. */
  readonly rowHeight: number;
  readonly render: (row: Row, index: number) => ComponentChildren;
  /** Called when the end is near. */
  readonly onEnd?: () => void;
  readonly class?: string;
  /** Lets the parent scroll to a row. */
  readonly handle?: RefObject<ListHandle | null>;
  /** Keeps the end in view as rows arrive, while the reader is there. */
  readonly follow?: boolean;
  /** Called when the reader reaches the end, and when the reader leaves it. */
  readonly onAtEnd?: (atEnd: boolean) => void;
}

export interface ListHandle {
  scrollTo(index: number, align?: 'start' | 'end'): void;
}

/** Rows that are drawn above and below those that can be seen. */
const ROWS_AROUND = 8;

/** A list of any length that renders only the visible rows. The up and down keys move the focus between rows. */
export function VirtualList<Row>(props: VirtualListProps<Row>) {
  const { rows, keyOf, rowHeight } = props;
  const box = useRef<HTMLDivElement>(null);
  const [, redraw] = useState(0);
  // What can be seen is drawn first.
  const [painted, setPainted] = useState(false);
  useEffect(() => setPainted(true), []);
  const options: VirtualizerOptions<HTMLElement, HTMLElement> = {
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : keyOf(row, index);
    },
    overscan: painted ? ROWS_AROUND : 0,
    initialRect: { width: 800, height: 800 },
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    measureElement,
    onChange: () => redraw((n) => n + 1),
  };
  const [virtualizer] = useState(() => new Virtualizer(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());

  useKeptScroll(box, props.label, rows.length > 0);
  const items = virtualizer.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (rows.length > 0 && lastShown >= rows.length - 10) props.onEnd?.();
  }, [lastShown, rows.length]);

  const height = virtualizer.getTotalSize();
  const end = useEnd(box, height, props.follow ?? false, props.onAtEnd);
  const held = useHeldRow(box, virtualizer);
  const scrollTo = (index: number, align: 'start' | 'end' = 'start') => {
    end.set(align === 'end');
    held.set(align === 'start' ? index : undefined);
    virtualizer.scrollToIndex(index, { align });
  };
  // Before any effect of the parent: those run early if it is drawn again at once.
  useLayoutEffect(() => {
    if (props.handle) props.handle.current = { scrollTo };
  });

  /** The row that a key went to, until it is drawn. */
  const toFocus = useRef<number | undefined>(undefined);
  const focusRow = () => {
    const row = box.current?.querySelector(`[data-index="${toFocus.current}"]`);
    if (!row) return;
    toFocus.current = undefined;
    row.querySelector<HTMLElement>('a, button, [tabindex]')?.focus({ preventScroll: true });
  };
  useLayoutEffect(() => {
    if (toFocus.current !== undefined) focusRow();
  });
  const count = rows.length;
  useEffect(() => {
    const element = box.current;
    const onKeyDown = (event: KeyboardEvent) => {
      const row = event.target instanceof Element ? event.target.closest('[data-index]') : null;
      if (row === null || event.target instanceof HTMLInputElement) return;
      const index = toFocus.current ?? Number(row.getAttribute('data-index'));
      const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: count - 1 }[event.key];
      if (next === undefined || next < 0 || next >= count) return;
      event.preventDefault();
      virtualizer.scrollToIndex(next);
      toFocus.current = next;
      focusRow();
    };
    element?.addEventListener('keydown', onKeyDown);
    return () => element?.removeEventListener('keydown', onKeyDown);
  }, [count, virtualizer]);

  return (
    <div ref={box} class={`virtual ${props.class ?? ''}`}>
      <ul class="virtual-space" aria-label={props.label} style={{ height: `${height}px` }}>
        {items.map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          return (
            <li
              key={item.key}
              ref={(element) => virtualizer.measureElement(element)}
              data-index={item.index}
              class="virtual-row"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              {props.render(row, item.index)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
