import { serve } from '../../threads/serve.ts';
import { FolderWatch, type Refused, type WatchOrder } from './folder-watch.ts';

/*
 * Watches the folders of large indexes, in a process of its own: a hundred megabytes and storms of events stay out of
 * the process that answers. It ends with the one that started it.
 */

/** What is told without being asked. */
export type WatchNewsMessage =
  | { readonly type: 'heard' | 'lost'; readonly index: number; readonly ids: readonly number[] }
  | { readonly type: 'overflow' };

let folders: FolderWatch | undefined;

const methods = {
  /** Comes first, with the length of the system's queue of events. */
  begin(queue: number): void {
    folders = new FolderWatch(
      {
        heard: (index, ids) => tell({ type: 'heard', index, ids }),
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
