/** A box on the canvas. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

const ZOOM_MS = 150;

/**
 * Animates the change between two pictures: the inner one grows from its box in the outer one to the whole canvas, or
 * the other way round. Each frame copies two images, however many boxes they have.
 */
export function playZoom(
  context: CanvasRenderingContext2D,
  pictures: { readonly outer: HTMLCanvasElement; readonly inner: HTMLCanvasElement },
  box: Box,
  whole: Box,
  direction: 'in' | 'out',
): { readonly done: Promise<void>; stop(): void } {
  let frame = 0;
  let stopped = false;
  const done = new Promise<void>((resolve) => {
    const begun = performance.now();
    const step = (now: number) => {
      const part = Math.min(1, Math.max(0, (now - begun) / ZOOM_MS));
      const eased = 1 - (1 - part) ** 3;
      const t = direction === 'in' ? eased : 1 - eased;
      // Where the inner picture is in this frame; the outer one moves with it.
      const at: Box = {
        x: box.x + (whole.x - box.x) * t,
        y: box.y + (whole.y - box.y) * t,
        w: box.w + (whole.w - box.w) * t,
        h: box.h + (whole.h - box.h) * t,
      };
      const sx = at.w / box.w;
      const sy = at.h / box.h;
      context.globalAlpha = 1;
      context.drawImage(pictures.outer, at.x - box.x * sx, at.y - box.y * sy, whole.w * sx, whole.h * sy);
      context.globalAlpha = t;
      context.drawImage(pictures.inner, at.x, at.y, at.w, at.h);
      context.globalAlpha = 1;
      if (part < 1 && !stopped) frame = requestAnimationFrame(step);
      else resolve();
    };
    frame = requestAnimationFrame(step);
  });
  return {
    done,
    stop() {
      stopped = true;
      cancelAnimationFrame(frame);
    },
  };
}
