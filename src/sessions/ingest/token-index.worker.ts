import { redact } from '../../contract/redact.ts';
import { serve } from '../../threads/serve.ts';
import { Thread } from '../../threads/thread.ts';
import { PROVIDERS } from '../providers/index.ts';
import type { LogFolder } from '../providers/log-files.ts';
import type { PriceTable } from '../tokens/prices.ts';
import { type UsageFilter, type UsageGroup, usageTotals } from '../tokens/totals.ts';
import type { Archive } from './reader-messages.ts';
import { skimLogs } from './skim-logs.ts';
import { SKIM_LIMITS, type SkimTask, tokenIndex } from './token-index.ts';

export interface TokenQuestion {
  readonly folders: readonly LogFolder[];
  readonly archive: Archive;
  /** Those that somebody set. */
  readonly prices: PriceTable;
  readonly group: UsageGroup;
  readonly zone: string;
  readonly filter: UsageFilter;
  /** How many more threads may skim logs. */
  readonly helpers: number;
}

/** Below this another thread costs more than it saves. */
const MIN_SHARED_BYTES = 16 << 20;
/** Tasks are handed out in pieces of this size, so that all threads end at about the same time. */
const PIECE_BYTES = 24 << 20;

let helpers = 0;
const index = tokenIndex({ providers: PROVIDERS, redact, skim });

/** Skims logs in this thread and in some more. */
async function skim(tasks: readonly SkimTask[]) {
  const pieces = piecesOf(tasks);
  const shared = pieces.length > 1 && sizeOf(tasks) >= MIN_SHARED_BYTES;
  const found = new Map<SkimTask, ReturnType<typeof skimLogs>[number]>();
  const take = async (
    run: (piece: readonly SkimTask[]) => Promise<ReturnType<typeof skimLogs>> | ReturnType<typeof skimLogs>,
  ) => {
    for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
      const logs = await run(piece);
      for (const [at, task] of piece.entries()) found.set(task, logs[at]);
    }
  };
  const help = async () => {
    const thread = new Thread<TokenMethods>(new URL('./token-index.worker.ts', import.meta.url), {
      limits: SKIM_LIMITS,
    });
    await take((piece) => thread.call('skim', piece));
    await thread.stop();
  };
  const others = Array.from({ length: shared ? Math.min(helpers, pieces.length - 1) : 0 }, help);
  // The pieces of this thread come between messages of the others.
  await take(async (piece) => {
    await new Promise(setImmediate);
    return skimLogs(PROVIDERS, piece);
  });
  await Promise.all(others);
  return tasks.map((task) => found.get(task));
}

function piecesOf(tasks: readonly SkimTask[]): SkimTask[][] {
  const pieces: SkimTask[][] = [];
  let size = PIECE_BYTES;
  for (const task of tasks) {
    if (size >= PIECE_BYTES) {
      pieces.push([]);
      size = 0;
    }
    pieces.at(-1)?.push(task);
    size += task.size;
  }
  return pieces;
}

function sizeOf(tasks: readonly SkimTask[]): number {
  return tasks.reduce((sum, { size }) => sum + size, 0);
}

const methods = {
  async by({ folders, archive, prices, group, zone, filter, helpers: more }: TokenQuestion) {
    helpers = more;
    const db = await index.tables(folders, archive);
    return usageTotals(db, PROVIDERS, { table: () => prices }).by(group, zone, filter);
  },
  skim: (tasks: readonly SkimTask[]) => skimLogs(PROVIDERS, tasks),
  close: () => index.close(),
};
export type TokenMethods = typeof methods;

serve(methods);
