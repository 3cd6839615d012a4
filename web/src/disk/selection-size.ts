import { useEffect, useState } from 'preact/hooks';
import { ApiError, epoch, get } from '../data/client.ts';
import { type Part, sizeOfParts } from './selected-parts.ts';
import type { NodeDetail } from './types.ts';

interface Known {
  /** Which index, and as of when. */
  readonly of: string;
  readonly parts: ReadonlyMap<string, Part>;
}

const AT_ONCE = 4;

/** What the selected nodes take on the disk, each byte once; undefined until all are known. */
export function useSelectionSize(index: string, ids: ReadonlySet<string>): number | undefined {
  const of = `${index}@${epoch.value}`;
  const [known, setKnown] = useState<Known>({ of, parts: new Map() });
  const parts = known.of === of ? known.parts : new Map<string, Part>();
  const missing = [...ids].filter((id) => !parts.has(id));
  useEffect(() => {
    const stop = new AbortController();
    const ask = async () => {
      const asked = missing.slice(0, AT_ONCE);
      const found = await Promise.all(
        asked.map(async (id) => [id, await part(index, id, stop.signal)] as const),
      );
      if (!stop.signal.aborted) setKnown({ of, parts: new Map([...parts, ...found]) });
    };
    if (missing.length > 0) {
      ask().catch((error: unknown) => {
        if (!stop.signal.aborted) throw error;
      });
    }
    return () => stop.abort();
  }, [of, missing.join()]);
  if (missing.length > 0) return undefined;
  return sizeOfParts([...ids].flatMap((id) => parts.get(id) ?? []));
}

async function part(index: string, id: string, stop: AbortSignal): Promise<Part> {
  try {
    const { data } = await get<NodeDetail>(
      `/api/indexes/${encodeURIComponent(index)}/nodes/${encodeURIComponent(id)}`,
      {},
      stop,
    );
    return { path: data.path, size: data.total?.disk_size ?? data.disk_size };
  } catch (error) {
    // A node that is gone takes nothing.
    if (error instanceof ApiError) return { path: '', size: 0 };
    throw error;
  }
}
