import { colour } from '../../frame/theme.ts';
import { sizeText } from '../../ui/format.ts';
import { REST, type TreeColumns } from './columns.ts';
import { hasTitle, isChain, type Layout, TITLE } from './layout.ts';

/** The colours of a treemap, read from the style sheet once per theme. */
export interface Paint {
  readonly back: string;
  readonly folder: readonly string[];
  readonly line: string;
  readonly text: string;
  readonly title: string;
  readonly rest: string;
  /** The colour of each file, and of the text on it. */
  readonly file: (at: number) => string;
  readonly onFile: string;
}

const FONT = '11px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const LABEL_MIN = { w: 34, h: 16 } as const;
/** A box at least this large also shows its size. */
const SIZE_MIN = { w: 48, h: 32 } as const;
const TITLE_SIZE_MIN = 130;
/** Fewer letters than these tell nothing. */
const SHORTEST_CUT = 4;

/** The colours from the style sheet, with a colour for each file. */
export function basePaint(file: (at: number) => string): Paint {
  return {
    back: colour('bg'),
    folder: [colour('surface'), colour('hover')],
    line: colour('border-strong'),
    text: colour('text'),
    title: colour('text-2'),
    rest: colour('border'),
    file,
    onFile: colour('on-box'),
  };
}

/** Draws a layout. */
export function paintTree(
  context: CanvasRenderingContext2D,
  columns: TreeColumns,
  layout: Layout,
  paint: Paint,
): void {
  const { order, shown, x, y, w, h, depth, root } = layout;
  const { kinds } = columns;
  context.fillStyle = paint.back;
  context.fillRect(0, 0, w[root] ?? 0, h[root] ?? 0);
  context.font = FONT;
  context.textBaseline = 'middle';
  const shorten = shortener(context);
  for (let i = 1; i < shown; i++) {
    const at = order[i] ?? 0;
    const left = x[at] ?? 0;
    const top = y[at] ?? 0;
    const width = w[at] ?? 0;
    const height = h[at] ?? 0;
    const kind = kinds[at] ?? 0;
    if (kind === -1) {
      context.fillStyle = paint.folder[(depth[at] ?? 0) % 2] ?? paint.back;
      context.fillRect(left, top, width, height);
      if (width > 6 && height > 6) {
        context.strokeStyle = paint.line;
        context.lineWidth = 1;
        context.strokeRect(left + 0.5, top + 0.5, width - 1, height - 1);
      }
      if (hasTitle(width, height) && !isChain(columns, at)) {
        context.fillStyle = paint.title;
        const size = width >= TITLE_SIZE_MIN ? sizeText(columns.sizes[at] ?? 0) : '';
        const room = size === '' ? 0 : context.measureText(size).width + 10;
        const line = top + TITLE / 2 + 1;
        context.fillText(shorten(titleOf(columns, root, at), width - 10 - room), left + 5, line);
        if (size !== '') context.fillText(size, left + width - room + 4, line);
      }
      continue;
    }
    // Half a pixel less on each side leaves a line between boxes.
    const gap = width > 4 && height > 4 ? 0.5 : 0;
    context.fillStyle = kind === REST ? paint.rest : paint.file(at);
    // Many small files: their colour, but fainter than that of a single file.
    context.globalAlpha = kind < REST ? 0.6 : 1;
    context.fillRect(left + gap, top + gap, width - 2 * gap, height - 2 * gap);
    context.globalAlpha = 1;
    if (kind > REST && width >= LABEL_MIN.w && height >= LABEL_MIN.h) {
      context.fillStyle = paint.onFile;
      context.fillText(shorten(columns.name(at), width - 8), left + 4, top + Math.min(9, height / 2));
      const size = height >= SIZE_MIN.h && width >= SIZE_MIN.w ? sizeText(columns.sizes[at] ?? 0) : '';
      // A number that is cut in the middle reads as another number.
      if (size !== '' && context.measureText(size).width <= width - 8)
        context.fillText(size, left + 4, top + 22);
    }
  }
}

/** A folder's name, preceded by those of the folders that contain hardly anything else. */
function titleOf(columns: TreeColumns, root: number, at: number): string {
  let title = columns.name(at);
  for (
    let up = columns.parents[at] ?? 0;
    up !== root && isChain(columns, up);
    up = columns.parents[up] ?? 0
  ) {
    title = `${columns.name(up)}/${title}`;
  }
  return title;
}

/** Cuts names to a width; measures the average letter only once. */
function shortener(context: CanvasRenderingContext2D): (name: string, width: number) => string {
  const average = context.measureText('abcdefghijklmnopqrstuvwxyz0123456789_.').width / 38;
  return (name, width) => {
    const fits = Math.floor(width / average);
    if (name.length <= fits && context.measureText(name).width <= width) return name;
    let cut = Math.min(name.length, fits);
    while (cut > 0 && context.measureText(`${name.slice(0, cut)}…`).width > width) cut--;
    return cut < SHORTEST_CUT ? '' : `${name.slice(0, cut)}…`;
  };
}

/** Draws frames around the box under the pointer and the selected boxes. */
export function paintMarks(
  context: CanvasRenderingContext2D,
  layout: Layout,
  marks: readonly { readonly at: number; readonly colour: string; readonly width: number }[],
): void {
  for (const { at, colour: stroke, width } of marks) {
    if ((layout.w[at] ?? 0) <= 0) continue;
    context.strokeStyle = stroke;
    context.lineWidth = width;
    const inset = width / 2;
    context.strokeRect(
      (layout.x[at] ?? 0) + inset,
      (layout.y[at] ?? 0) + inset,
      Math.max(1, (layout.w[at] ?? 0) - width),
      Math.max(1, (layout.h[at] ?? 0) - width),
    );
  }
}
