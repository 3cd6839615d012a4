import { FolderWatch } from './folder-watch.ts';
import type { FromWatching, ToWatching } from './watch-process.ts';

/*
 * Watches the folders of large indexes, in a process of its own: half a hundred megabytes and storms of events stay
 * out of the process that answers. It ends with the one that started it.
 */

const tell = (message: FromWatching) => void process.send?.(message);

const folders = new FolderWatch(
  {
    heard: (index, ids) => tell({ type: 'heard', index, ids }),
    lost: (index, ids) => tell({ type: 'lost', index, ids }),
    overflow: () => tell({ type: 'overflow' }),
  },
  Number(process.argv[2]),
);

// The only one who sends is watch-process.ts.
process.on('message', async (message: ToWatching) => {
  if (message.type === 'add')
    tell({ type: 'added', turn: message.turn, refused: await folders.add(message) });
  else if (message.type === 'drop') folders.drop(message.index, message.ids);
  else {
    await folders.flush();
    tell({ type: 'flushed', turn: message.turn });
  }
});
process.on('disconnect', () => process.exit(0));
