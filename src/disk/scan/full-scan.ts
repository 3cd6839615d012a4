import { lstatSync, type Stats } from 'node:fs';
import { float64At } from '../../contract/at.ts';
import { systemCode } from '../../contract/errors.ts';
import { buildTree, type DirFacts } from '../tree/build-tree.ts';
import type { ScanOptions, Tree } from '../tree/tree-columns.ts';
import { ctimeMs, FACT, keptDetails, keptMtime, toFacts } from './file-facts.ts';
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
  /** How many processes to use; by default one per core. */
  readonly scanners?: number | undefined;
}

/** Reads everything below a root. Node ids of an earlier generation are kept. */
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

/** The facts about a folder, for its row. */
export function dirFacts(facts: Float64Array): DirFacts {
  return {
    kind: KIND.dir,
    size: float64At(facts, FACT.size),
    blocks: float64At(facts, FACT.blocks),
    mtime: keptMtime(facts),
    details: keptDetails(facts),
    owner: float64At(facts, FACT.uid),
    ino: float64At(facts, FACT.ino) % 2 ** 32,
    ctime: ctimeMs(facts),
  };
}

/** Checks that the root exists and is a folder; the caller has already resolved links. */
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
