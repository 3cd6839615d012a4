import type { TreeColumns } from './columns.ts';
import { type Layout, layoutTree, nodeAt } from './layout.ts';
import { type Paint, paintMarks, paintTree } from './paint.ts';
import { type Box, playZoom } from './zoom.ts';

/** With reduced motion, the next picture is drawn at once. */
const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

/** The boxes to highlight. */
export interface Marks {
  readonly hover: number;
  readonly selected: readonly number[];
}

/** A treemap on two canvases: the boxes, and above them the highlights, which change whenever the pointer moves. */
export class Picture {
  readonly #canvas: HTMLCanvasElement;
  readonly #overlay: HTMLCanvasElement;
  #columns: TreeColumns | undefined;
  #layout: Layout | undefined;
  #paint: Paint | undefined;
  #root = 0;
  #width = 0;
  #height = 0;
  #zoom: { stop(): void } | undefined;

  constructor(canvas: HTMLCanvasElement, overlay: HTMLCanvasElement) {
    this.#canvas = canvas;
    this.#overlay = overlay;
  }

  get layout(): Layout | undefined {
    return this.#layout;
  }

  /** Draws a tree starting at one of its nodes, without animation. */
  show(columns: TreeColumns, root: number, paint: Paint): void {
    this.#zoom?.stop();
    this.#columns = columns;
    this.#root = root;
    this.#paint = paint;
    this.#draw();
  }

  resize(width: number, height: number): void {
    if (width === this.#width && height === this.#height) return;
    this.#width = width;
    this.#height = height;
    const scale = devicePixelRatio || 1;
    for (const canvas of [this.#canvas, this.#overlay]) {
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    this.#draw();
  }

  /** Zooms into a box. */
  zoomIn(node: number): Promise<void> {
    const layout = this.#layout;
    if (layout === undefined) return Promise.resolve();
    const box = boxOf(layout, node);
    const outer = copyOf(this.#canvas);
    this.#root = node;
    return this.#play(outer, box, 'in');
  }

  /** Zooms out to another tree, in which the current picture is the box of `node`. */
  zoomOut(columns: TreeColumns, node: number, paint: Paint): Promise<void> {
    const inner = copyOf(this.#canvas);
    this.#columns = columns;
    this.#root = 0;
    this.#paint = paint;
    this.#draw();
    const layout = this.#layout;
    if (layout === undefined || (layout.w[node] ?? 0) < 2) return Promise.resolve();
    return this.#play(inner, boxOf(layout, node), 'out');
  }

  nodeAt(x: number, y: number): number {
    if (this.#columns === undefined || this.#layout === undefined) return -1;
    return nodeAt(this.#columns, this.#layout, x, y);
  }

  mark({ hover, selected }: Marks, tones: { readonly hover: string; readonly selected: string }): void {
    const context = this.#overlay.getContext('2d');
    if (context === null || this.#layout === undefined) return;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.#overlay.width, this.#overlay.height);
    const scale = devicePixelRatio || 1;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    paintMarks(context, this.#layout, [
      ...selected.map((at) => ({ at, colour: tones.selected, width: 3 })),
      ...(hover >= 0 ? [{ at: hover, colour: tones.hover, width: 2 }] : []),
    ]);
  }

  async #play(other: HTMLCanvasElement, box: Box, direction: 'in' | 'out'): Promise<void> {
    this.#zoom?.stop();
    if (reducedMotion.matches) {
      this.#draw();
      return;
    }
    if (direction === 'in') this.#draw();
    const now = copyOf(this.#canvas);
    const context = this.#context();
    if (context === null) return;
    const pictures = direction === 'in' ? { outer: other, inner: now } : { outer: now, inner: other };
    const whole = { x: 0, y: 0, w: this.#width, h: this.#height };
    const zoom = playZoom(context, pictures, box, whole, direction);
    this.#zoom = zoom;
    await zoom.done;
    // The last frame was a scaled copy: draw it again at full resolution.
    if (this.#zoom === zoom) this.#draw();
  }

  #draw(): void {
    const context = this.#context();
    if (context === null || this.#columns === undefined || this.#paint === undefined || this.#width === 0)
      return;
    this.#layout = layoutTree(this.#columns, this.#root, this.#width, this.#height);
    paintTree(context, this.#columns, this.#layout, this.#paint);
  }

  #context(): CanvasRenderingContext2D | null {
    const context = this.#canvas.getContext('2d', { alpha: false });
    const scale = devicePixelRatio || 1;
    context?.setTransform(scale, 0, 0, scale, 0, 0);
    return context;
  }
}

function boxOf(layout: Layout, at: number): Box {
  return { x: layout.x[at] ?? 0, y: layout.y[at] ?? 0, w: layout.w[at] ?? 0, h: layout.h[at] ?? 0 };
}

function copyOf(canvas: HTMLCanvasElement): HTMLCanvasElement {
  const copy = document.createElement('canvas');
  copy.width = canvas.width;
  copy.height = canvas.height;
  copy.getContext('2d')?.drawImage(canvas, 0, 0);
  return copy;
}
