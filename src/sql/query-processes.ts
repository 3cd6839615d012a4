import { PinholeError } from '../contract/errors.ts';
import { Child } from '../threads/child.ts';
import { RemoteEnded } from '../threads/remote.ts';
import { LIMITS_VARIABLE, QUERY_LIMITS, type QueryLimits } from './process/query-limits.ts';
import {
  type Look,
  MISTAKE,
  type QueryMethods,
  type QueryRequest,
  type QueryResult,
} from './query-messages.ts';

const IDLE_MS = 120_000;
/** A second one answers while the first is busy; more would only compete for the same processors. */
const MAX_PROCESSES = 2;
const HEAP_MB = 128;

/** The processes that run queries: started on demand, ended when idle, killed when a query takes too long. */
export interface QueryProcesses {
  look(query: string, signal: AbortSignal): Promise<Look>;
  run(request: QueryRequest, signal: AbortSignal): Promise<QueryResult>;
  /** The plan of the last query started under this signal. */
  planOf(signal: AbortSignal): readonly string[];
  close(): Promise<void>;
}

type QueryChild = Child<QueryMethods>;

export function createQueryProcesses({ memory, files }: QueryLimits = QUERY_LIMITS): QueryProcesses {
  const free: QueryChild[] = Array.from(
    { length: MAX_PROCESSES },
    () =>
      new Child<QueryMethods>(new URL('./process/run-query.worker.ts', import.meta.url), {
        idleMs: IDLE_MS,
        endOnCancel: true,
        flags: [`--max-old-space-size=${HEAP_MB}`],
        // Otherwise, glibc keeps the memory of a large sort.
        env: {
          NODE_OPTIONS: undefined,
          MALLOC_ARENA_MAX: '1',
          MALLOC_TRIM_THRESHOLD_: '1000000',
          [LIMITS_VARIABLE]: `${memory},${files}`,
        },
      }),
  );
  const all = [...free];
  const waiting: ((child: QueryChild) => void)[] = [];
  const plans = new WeakMap<AbortSignal, readonly string[]>();

  /** One query at a time per process, because killing a slow query's process would end the others too. */
  async function withOne<T>(signal: AbortSignal, work: (child: QueryChild) => Promise<T>): Promise<T> {
    const running = free.findIndex((child) => child.running);
    const child = free.splice(Math.max(0, running), 1)[0] ?? (await turn(signal));
    try {
      return await work(child);
    } catch (error) {
      throw named(error);
    } finally {
      const next = waiting.shift();
      if (next === undefined) free.push(child);
      else next(child);
    }
  }

  function turn(signal: AbortSignal): Promise<QueryChild> {
    return new Promise((resolve, reject) => {
      const mine = (child: QueryChild) => {
        signal.removeEventListener('abort', give);
        resolve(child);
      };
      const give = () => {
        waiting.splice(waiting.indexOf(mine), 1);
        reject(signal.reason);
      };
      signal.throwIfAborted();
      waiting.push(mine);
      signal.addEventListener('abort', give, { once: true });
    });
  }

  return {
    look: (query, signal) => withOne(signal, (child) => child.call('look', query, { signal })),
    run: (request, signal) =>
      withOne(signal, (child) =>
        child.call('run', request, { signal, onEvent: ({ plan }) => void plans.set(signal, plan) }),
      ),
    planOf: (signal) => plans.get(signal) ?? [],
    async close() {
      await Promise.all(all.map((child) => child.stop()));
    },
  };
}

/** Query mistakes are the caller's; a process that ended has hit one of its limits. */
function named(error: unknown): unknown {
  if (error instanceof RemoteEnded)
    return new PinholeError(
      'invalid_parameter',
      'This query needs too much memory, or too much temporary disk space. Select fewer rows or columns, or group before sorting.',
      { cause: error },
    );
  if (error instanceof Error && error.name === MISTAKE)
    return new PinholeError('invalid_parameter', error.message, { cause: error });
  return error;
}
