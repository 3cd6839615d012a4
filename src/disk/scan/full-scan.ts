import { lstatSync, type Stats } from 'node:fs';
import { systemCode } from '../../contract/errors.ts';
import { buildTree, type DirFacts } from '../tree/build-tree.ts';
import type { ScanOptions, Tree } from '../tree/disk-tree.ts';
import { ctimeMs, FACT, keptMtime, toFacts } from './file-facts.ts';
import { errorKind, KIND } from './node-kinds.ts';
import { EARLIER, makeRef, type WalkOptions } from './scanner-frames.ts';
import { type ScanCounts, startScanners } from './scanner-pool.ts';

export interface ScanRequest {
  /** Real, absolute path of a folder. */
  readonly root: string;
  readonly options: ScanOptions;
  /** Folders that followed links may lead into. */
  readonly allowed: readonly string[];
  readonly earlier: Tree | undefined;
  /** The first node id when there is no earlier generation. */
  readonly firstId: number;
  readonly signal: AbortSignal;
  readonly onProgress?: ((counts: ScanCounts) => void) | undefined;
  /** How many processes; one for each core unless said otherwise. */
  readonly scanners?: number | undefined;
}

/** Reads everything below a root. Ids of an earlier generation are kept. */
export async function scanFull(request: ScanRequest): Promise<Tree> {
  const startedAt = Date.now();
  const { root, options, earlier, signal, firstId } = request;
  const stats = rootStats(root);
  const scanners = startScanners({
    walk: walkOptions(request, stats.dev),
    signal,
    ...(request.onProgress === undefined ? {} : { onProgress: request.onProgress }),
    ...(request.scanners === undefined ? {} : { scanners: request.scanners }),
  });
  const task = { ref: makeRef(EARLIER, 0), path: root, dev: stats.dev, ino: stats.ino, depth: 0 };
  const { stages, report } = await scanners.scan([task]);
  const swept = new Map([[0, dirFacts(toFacts(stats))]]);
  return buildTree({
    root,
    options,
    stages,
    report,
    earlier,
    swept,
    startedAt,
    verifiedAt: startedAt,
    firstId,
  });
}

/** What the scanners need to know. */
export function walkOptions({ root, options, allowed }: ScanRequest, rootDev: number): WalkOptions {
  return { ...options, root, rootDev, allowed };
}

/** The facts of a folder that was looked at, for its row. */
export function dirFacts(facts: Float64Array): DirFacts {
  return {
    kind: KIND.dir,
    size: facts[FACT.size] ?? 0,
    blocks: facts[FACT.blocks] ?? 0,
    mtime: keptMtime(facts),
    owner: facts[FACT.uid] ?? 0,
    ino: (facts[FACT.ino] ?? 0) % 2 ** 32,
    ctime: ctimeMs(facts),
  };
}

/** The root must be there and be a folder; the caller has resolved links already. */
export function rootStats(root: string): Stats {
  try {
    const stats = lstatSync(root);
    if (!stats.isDirectory()) throw new Error(`'${root}' is not a folder.`);
    return stats;
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    throw new Error(`'${root}' cannot be scanned (${errorKind(code)}).`);
  }
}
