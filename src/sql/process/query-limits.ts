import { Worker } from 'node:worker_threads';

/** The most that the query process may use, in bytes. */
export interface QueryLimits {
  readonly memory: number;
  /** Temporary files, in which SQLite sorts what does not fit into its cache. */
  readonly files: number;
}

export const QUERY_LIMITS: QueryLimits = { memory: 768_000_000, files: 1_000_000_000 };

/** The environment variable that passes the limits to the process. */
export const LIMITS_VARIABLE = 'PINHOLE_QUERY_LIMITS';

export function limitsFrom(value: string | undefined): QueryLimits {
  const [memory, files] = (value ?? '').split(',').map(Number);
  return { memory: memory || QUERY_LIMITS.memory, files: files || QUERY_LIMITS.files };
}

/**
 * Monitors the process while SQLite keeps the main thread busy. It uses SIGKILL, because nothing else works then.
 * SQLite deletes its temporary files as soon as it has opened them, so they are files without a name.
 */
const WATCH = `
const { fstatSync, readdirSync } = require('node:fs');
const { workerData: { memory, files } } = require('node:worker_threads');
function temporaryBytes() {
  let bytes = 0;
  for (const name of readdirSync('/dev/fd')) {
    try {
      const { nlink, blocks } = fstatSync(Number(name));
      if (nlink === 0) bytes += blocks * 512;
    } catch {} // It was closed in between.
  }
  return bytes;
}
setInterval(() => {
  if (process.memoryUsage.rss() > memory || temporaryBytes() > files) process.kill(process.pid, 'SIGKILL');
}, 50);
`;

/**
 * Kills this process when it exceeds its limits. SQLite is built without its own accounting, so its heap limit has no
 * effect.
 */
export function watchLimits(limits: QueryLimits): void {
  const watch = new Worker(WATCH, {
    eval: true,
    workerData: limits,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
  });
  watch.unref();
}
