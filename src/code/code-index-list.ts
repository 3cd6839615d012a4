import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Job, Jobs } from '../jobs/jobs.ts';
import { rootId } from './indexed-tree.ts';
import { MANIFEST } from './trigram/trigram-manifest.ts';

/** The index of one source tree. */
export interface CodeIndex {
  readonly root: string;
  readonly state: 'ready' | 'building' | 'failed';
  /** Files in it, if its last build reported them. */
  readonly files: number | undefined;
  /** Size on disk of the index for exact search and, if they exist, of the semantic index and the symbols. */
  readonly bytes: number;
  readonly semantic: boolean;
  /** In milliseconds since 1970; undefined while the first build runs. */
  readonly builtAt: number | undefined;
}

const MAX_JOBS = 500;
/** The job that people ask for; it builds both indexes. */
export const CODE_INDEX_JOB = 'code-index';
/** The job that an exact search starts; it builds the index for exact search. */
export const CODE_EXACT_JOB = 'code-exact';
const JOB_KINDS: ReadonlySet<string> = new Set([CODE_INDEX_JOB, CODE_EXACT_JOB]);

/** The indexes in a data folder with what their last builds reported, newest first. */
export async function listCodeIndexes(
  folder: string,
  jobs: Pick<Jobs, 'list'>,
): Promise<readonly CodeIndex[]> {
  const builds = new Map<string, Job[]>();
  for (const job of await jobs.list(undefined, MAX_JOBS)) {
    if (JOB_KINDS.has(job.kind)) builds.set(job.key, [...(builds.get(job.key) ?? []), job]);
  }
  const kept = entries(folder)
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => rootOf(join(folder, name, 'trigram')) ?? []);
  const running = [...builds].filter(([, [last]]) => isRunning(last)).map(([root]) => root);
  return [...new Set([...kept, ...running])]
    .map((root) => describe(join(folder, rootId(root)), root, builds.get(root) ?? []))
    .sort((a, b) => (b.builtAt ?? Number.MAX_VALUE) - (a.builtAt ?? Number.MAX_VALUE));
}

function describe(folder: string, root: string, builds: readonly Job[]): CodeIndex {
  const [last] = builds;
  const files = builds.find(({ report }) => report?.files !== undefined)?.report?.files;
  const semanticBytes = sizeOf(join(folder, 'semantic'));
  return {
    root,
    state: isRunning(last) ? 'building' : last?.status === 'failed' ? 'failed' : 'ready',
    files: typeof files === 'number' ? files : undefined,
    bytes: sizeOf(join(folder, 'trigram')) + semanticBytes + (statSize(join(folder, 'symbols.db')) ?? 0),
    semantic: semanticBytes > 0,
    builtAt: timeOf(join(folder, 'trigram', MANIFEST)),
  };
}

function isRunning(job: Job | undefined): boolean {
  return job?.status === 'running' || job?.status === 'queued';
}

/** The tree that an index folder belongs to; undefined if its first build never finished. */
function rootOf(folder: string): string | undefined {
  try {
    const { root }: { root?: unknown } = { ...JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')) };
    return typeof root === 'string' ? root : undefined;
  } catch {
    return undefined;
  }
}

function entries(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function sizeOf(folder: string): number {
  return entries(folder).reduce(
    (sum, entry) => sum + (entry.isFile() ? (statSize(join(folder, entry.name)) ?? 0) : 0),
    0,
  );
}

function statSize(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}

function timeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}
