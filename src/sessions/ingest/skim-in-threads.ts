import { Thread } from '../../threads/thread.ts';
import { PROVIDERS } from '../providers/index.ts';
import { skimLogs } from './skim-logs.ts';
import { SKIM_LIMITS, type SkimTask } from './token-index.ts';
import type { TokenMethods } from './token-index.worker.ts';

/** Below this, another thread costs more than it saves: it has to load and optimise the same code again. */
const MIN_SHARED_BYTES = 64 << 20;
/** How much of a log usually has to be read to find its first prompt. */
const PROMPT_BYTES = 64 << 10;
/** Tasks are handed out in pieces of this size, so that all threads end at about the same time. */
const PIECE_BYTES = 24 << 20;

type Skimmed = ReturnType<typeof skimLogs>;

/** Skims logs in this thread and in up to `helpers` others. */
export async function skimInThreads(tasks: readonly SkimTask[], helpers: number): Promise<Skimmed> {
  const pieces = piecesOf(tasks);
  const shared = pieces.length > 1 && sizeOf(tasks) >= MIN_SHARED_BYTES;
  const found = new Map<SkimTask, Skimmed[number]>();
  const take = async (run: (piece: readonly SkimTask[]) => Promise<Skimmed> | Skimmed) => {
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
  // Between its own pieces, this thread handles the messages of the others.
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
    size += bytesOf(task);
  }
  return pieces;
}

function sizeOf(tasks: readonly SkimTask[]): number {
  return tasks.reduce((sum, task) => sum + bytesOf(task), 0);
}

function bytesOf({ size, depth }: SkimTask): number {
  return depth === 'prompt' ? Math.min(size, PROMPT_BYTES) : size;
}
