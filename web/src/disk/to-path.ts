import { ApiError, get } from '../data/client.ts';
import { go, href, param } from '../frame/router.ts';
import type { NodeDetail } from './types.ts';

/** Goes to a folder. Within the index that is looked at the view stays, so that its map can zoom and its selection holds. */
export async function toPath(index: string, path: string): Promise<void> {
  const kept = { f: param('f'), tab: param('tab'), by: param('by') };
  const detail = await get<NodeDetail>('/api/files/inspect', { path }).catch((error: unknown) => {
    if (error instanceof ApiError) return undefined;
    throw error;
  });
  const { index_id, node_id } = detail?.data ?? {};
  if (index_id === index && node_id !== undefined)
    go(href(`/disk/${index}/${node_id}`, { ...kept, sel: param('sel') }));
  else go(href('/disk', { path, ...kept }));
}
