import { useEffect, useState } from 'preact/hooks';
import { call } from '../data/call.ts';
import { ApiError, epoch } from '../data/client.ts';
import { type SelectedNode, totalSize } from './total-size.ts';

interface Known {
  /** The index, and when it was loaded. */
  readonly version: string;
  readonly nodes: ReadonlyMap<string, SelectedNode>;
}

const PARALLEL_CALLS = 4;

/** The size of the selected nodes on disk, counting each byte once; undefined until all are known. */
export function useSelectionSize(index: string, ids: ReadonlySet<string>): number | undefined {
  const version = `${index}@${epoch.value}`;
  const [known, setKnown] = useState<Known>({ version, nodes: new Map() });
  const nodes = known.version === version ? known.nodes : new Map<string, SelectedNode>();
  const missing = [...ids].filter((id) => !nodes.has(id));
  useEffect(() => {
    const stop = new AbortController();
    const load = async () => {
      const wanted = missing.slice(0, PARALLEL_CALLS);
      const found = await Promise.all(
        wanted.map(async (id) => [id, await nodeOf(index, id, stop.signal)] as const),
      );
      if (!stop.signal.aborted) setKnown({ version, nodes: new Map([...nodes, ...found]) });
    };
    if (missing.length > 0) {
      load().catch((error: unknown) => {
        if (!stop.signal.aborted) throw error;
      });
    }
    return () => stop.abort();
  }, [version, missing.join()]);
  if (missing.length > 0) return undefined;
  return totalSize([...ids].flatMap((id) => nodes.get(id) ?? []));
}

async function nodeOf(index: string, id: string, signal: AbortSignal): Promise<SelectedNode> {
  try {
    const { data } = await call('inspect', { index_id: index, node_id: id }, { signal });
    return { path: data.path, size: data.total?.disk_size ?? data.disk_size };
  } catch (error) {
    // A deleted node takes no space.
    if (error instanceof ApiError) return { path: '', size: 0 };
    throw error;
  }
}
