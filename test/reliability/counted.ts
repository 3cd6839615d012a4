import type { RunnerTestCase } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** How often the test tried its attack or fault, and how often Pinhole held. */
    tried?: number;
    held?: number;
    /** The same by kind, if one test tries several; each has its own row. */
    counts?: Readonly<Record<string, { readonly tried: number; readonly held: number }>>;
    /** Tables for docs/reliability.md, as Markdown. */
    tables?: readonly string[];
  }
}

/** Records how often a test tried; without this it counts as one try. */
export function counted(task: Readonly<RunnerTestCase>, tried: number, held: number): void {
  task.meta.tried = tried;
  task.meta.held = held;
}

/** Records one more try of a kind, and whether Pinhole held. */
export function countOne(task: Readonly<RunnerTestCase>, kind: string, held: boolean): void {
  const before = task.meta.counts?.[kind] ?? { tried: 0, held: 0 };
  const after = { tried: before.tried + 1, held: before.held + (held ? 1 : 0) };
  task.meta.counts = { ...task.meta.counts, [kind]: after };
}

/** A whole number from an environment variable, for how often or how long to try. */
export function tries(variable: string, usual: number): number {
  const asked = Number(process.env[variable]);
  return Number.isInteger(asked) && asked > 0 ? asked : usual;
}
