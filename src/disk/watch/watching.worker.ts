import { serve } from '../../threads/serve.ts';
import { FolderWatch, type Refused, type WatchOrder } from './folder-watch.ts';

/*
 * Watches the folders of large indexes in a process of its own, which keeps a hundred megabytes and bursts of events out
 * of the background process. It ends with the process that started it.
 */

/** What it reports on its own. */
export type WatchNewsMessage =
  | { readonly type: 'changed' | 'lost'; readonly index: number; readonly ids: readonly number[] }
  | { readonly type: 'overflow' };

let folders: FolderWatch | undefined;

const methods = {
  /** Called first, with the length of the system's event queue. */
  begin(queue: number): void {
    folders = new FolderWatch(
      {
        changed: (index, ids) => tell({ type: 'changed', index, ids }),
        lost: (index, ids) => tell({ type: 'lost', index, ids }),
        overflow: () => tell({ type: 'overflow' }),
      },
      queue,
    );
  },
  add: async (order: WatchOrder): Promise<readonly Refused[]> => (await folders?.add(order)) ?? [],
  drop: ({ index, ids }: { index: number; ids: readonly number[] }) => folders?.drop(index, ids),
  flush: async (_: undefined) => folders?.flush(),
};
export type WatchMethods = typeof methods;

const tell = serve<WatchMethods, WatchNewsMessage>(methods);
