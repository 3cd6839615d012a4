import { call } from '../data/call.ts';
import { ApiError } from '../data/client.ts';
import { go, pageLinks, param } from '../frame/router.ts';

/** Goes to a folder. Inside the open index the view stays, so that its map can zoom and its selection is kept. */
export async function goToPath(index: string, path: string): Promise<void> {
  const kept = { f: param('f'), tab: param('tab'), by: param('by') };
  const detail = await call('inspect', { path, index_id: index }).catch((error: unknown) => {
    if (error instanceof ApiError) return undefined;
    throw error;
  });
  const { index_id, node_id } = detail?.data ?? {};
  if (index_id === index && node_id !== undefined)
    go(pageLinks.node(index, node_id, { ...kept, sel: param('sel') }));
  else go(pageLinks.path(path, kept));
}
