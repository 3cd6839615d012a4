import type { RunnerTestCase } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** How often the test tried its attack or fault, and how often Pinhole held. */
    tried?: number;
    held?: number;
    /** Tables for docs/reliability.md, as Markdown. */
    tables?: readonly string[];
  }
}

/** Notes how often a test tried; without this it counts as one try. */
export function counted(task: Readonly<RunnerTestCase>, tried: number, held: number): void {
  task.meta.tried = tried;
  task.meta.held = held;
}

/** A whole number from an environment variable, for how often or how long to try. */
export function tries(variable: string, usual: number): number {
  const asked = Number(process.env[variable]);
  return Number.isInteger(asked) && asked > 0 ? asked : usual;
}
