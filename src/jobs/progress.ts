import { countText } from '../contract/format.ts';

/** How far a job is; `total` is absent while it is unknown. */
export interface Progress {
  readonly done: number;
  readonly total?: number | undefined;
  /** What is counted: files, bytes. */
  readonly unit: string;
  /** Which part of the work, such as `scanning`. */
  readonly phase?: string | undefined;
}

/** Percentage done, at most 99 before the end. */
export function percent(progress: Progress | undefined): number | undefined {
  if (progress?.total === undefined || progress.total <= 0) return undefined;
  return Math.min(99, Math.floor((100 * progress.done) / progress.total));
}

/** Seconds left at the pace so far. */
export function etaSeconds(progress: Progress | undefined, elapsedMs: number): number | undefined {
  if (progress?.total === undefined || progress.done <= 0 || elapsedMs < 500) return undefined;
  const left = Math.max(0, progress.total - progress.done);
  return Math.ceil((left * elapsedMs) / progress.done / 1000);
}

/** `1 file`, `1,204 entries`: what is done, in its unit. */
export function doneText(done: number, unit = ''): string {
  const one = done === 1 ? unit.replace(/ies$/, 'y').replace(/s$/, '') : unit;
  return `${countText(done)} ${one}`.trimEnd();
}
