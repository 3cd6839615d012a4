import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { colour, theme } from '../../frame/theme.ts';
import { sizeText } from '../../ui/format.ts';
import { hovered } from '../hovered.ts';
import type { TreemapData } from '../types.ts';
import { type ColourBy, fileColours } from './colours.ts';
import { toColumns } from './columns.ts';
import { nextBox } from './neighbour.ts';
import { NodeMenu, type NodeMenuPlace } from './node-menu.tsx';
import { basePaint } from './paint.ts';
import { Picture } from './picture.ts';
import { Tip } from './tip.tsx';

export interface TreemapProps {
  readonly data: TreemapData;
  readonly by: ColourBy;
  readonly selected: ReadonlySet<string>;
  readonly onOpen: (id: string) => void;
  readonly onOut: () => void;
  readonly onSelect: (id: string) => void;
}

/** A map of a folder in which the area of each box is its size on disk. */
export function Treemap(props: TreemapProps) {
  const { data, by, selected } = props;
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const overlay = useRef<HTMLCanvasElement>(null);
  const picture = useRef<Picture | undefined>(undefined);
  const shownBefore = useRef<string | undefined>(undefined);
  const [hover, setHover] = useState(-1);
  const [pointer, setPointer] = useState<{ readonly x: number; readonly y: number } | undefined>();
  const [menu, setMenu] = useState<NodeMenuPlace>();
  const listed = hovered.value;
  const columns = useMemo(() => toColumns(data), [data]);
  const paint = useMemo(
    () => basePaint(fileColours(columns, data.extensions, by, Date.now())),
    [columns, by, theme.value],
  );

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || canvas.current === null || overlay.current === null) return;
    const made = new Picture(canvas.current, overlay.current);
    picture.current = made;
    made.resize(element.clientWidth, element.clientHeight);
    const observer = new ResizeObserver(() => made.resize(element.clientWidth, element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    const before = shownBefore.current;
    shownBefore.current = data.ids[0];
    const inner = before === undefined || before === data.ids[0] ? -1 : data.ids.indexOf(before);
    setHover(-1);
    if (inner > 0) void picture.current?.zoomOut(columns, inner, paint);
    else picture.current?.show(columns, 0, paint);
    // For profilers and benchmarks.
    performance.mark('treemap-drawn', { detail: { boxes: columns.count } });
  }, [columns, paint]);

  useEffect(() => {
    const marked = data.ids.flatMap((id, at) => (selected.has(id) ? [at] : []));
    // The pointer may be over a row of the list beside the map.
    const beside = hover < 0 && listed !== undefined ? data.ids.indexOf(listed) : -1;
    picture.current?.mark(
      { hover: hover >= 0 ? hover : beside, selected: marked },
      { hover: colour('text'), selected: colour('accent') },
    );
  }, [hover, listed, selected, columns, paint]);

  /** Tells the list which of its rows is under the pointer. */
  const point = (at: number) => {
    setHover(at);
    let top = at;
    while (top > 0 && (columns.parents[top] ?? 0) > 0) top = columns.parents[top] ?? 0;
    hovered.value = top > 0 ? data.ids[top] : undefined;
  };

  /** Opens the folder of a box, or a file at the top level. */
  const open = (at: number) => {
    if (at <= 0) return;
    const folder = columns.kinds[at] === -1 ? at : (columns.parents[at] ?? 0);
    if (folder <= 0) {
      if ((columns.kinds[at] ?? -2) >= 0) props.onOpen(data.ids[at] ?? '');
      return;
    }
    setHover(-1);
    setPointer(undefined);
    // Zoom with the known boxes; smaller ones appear with the answer.
    void picture.current?.zoomIn(folder);
    props.onOpen(data.ids[folder] ?? '');
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const layout = picture.current?.layout;
    if (event.key === 'Enter') open(hover);
    else if (event.key === 'Escape' || event.key === 'Backspace') props.onOut();
    else if (event.key === 's' && hover > 0) props.onSelect(data.ids[hover] ?? '');
    else if (event.key.startsWith('Arrow') && layout) setHover(nextBox(columns, layout, hover, event.key));
    else return;
    event.preventDefault();
  };

  const place = (event: MouseEvent) => {
    const area = box.current?.getBoundingClientRect();
    return { x: event.clientX - (area?.left ?? 0), y: event.clientY - (area?.top ?? 0) };
  };

  return (
    <div
      ref={box}
      class="treemap"
      role="application"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: an application handles keys
      tabIndex={0}
      aria-label={`Map of ${data.path}. Arrow keys move between boxes, Enter zooms in, Escape zooms out, s or Ctrl-click selects.`}
      onKeyDown={onKeyDown}
      onMouseMove={(event) => {
        const at = place(event);
        setPointer(at);
        point(picture.current?.nodeAt(at.x, at.y) ?? -1);
      }}
      onMouseLeave={() => {
        setPointer(undefined);
        point(-1);
      }}
      onContextMenu={(event) => {
        const at = place(event);
        const id = data.ids[picture.current?.nodeAt(at.x, at.y) ?? -1] ?? '';
        if (id === '') return;
        event.preventDefault();
        setMenu({ ...at, id });
      }}
      onClick={(event) => {
        const at = place(event);
        const node = picture.current?.nodeAt(at.x, at.y) ?? -1;
        if (event.shiftKey || event.ctrlKey || event.metaKey) props.onSelect(data.ids[node] ?? '');
        else open(node);
      }}
    >
      <canvas ref={canvas} />
      <canvas ref={overlay} class="overlay" />
      {menu && (
        <NodeMenu
          menu={menu}
          data={data}
          onOpen={props.onOpen}
          onSelect={props.onSelect}
          onClose={() => setMenu(undefined)}
        />
      )}
      {hover > 0 && !menu && <Tip data={data} columns={columns} at={hover} pointer={pointer} />}
      <span class="hidden-text" role="status">
        {hover > 0 && pointer === undefined
          ? `${columns.name(hover) || 'small entries'}, ${sizeText(columns.sizes[hover] ?? 0)}`
          : ''}
      </span>
    </div>
  );
}
