import { expect, it } from 'vitest';
import { Thread } from '../../threads/thread.ts';
import type { SymbolMethods } from './symbol-index.worker.ts';
import { ThreadWear } from './thread-wear.ts';

it('ends a thread that has parsed much, and none that a question waits for', async () => {
  const thread = new Thread<SymbolMethods>(new URL('./symbol-index.worker.ts', import.meta.url));
  const parse = () => thread.call('parse', { path: 'a.ts', text: 'export const a = 1;\n' });
  const wear = new ThreadWear(thread, '/nowhere.db', 100);
  try {
    await parse();
    await wear.after([{ size: 60 }, { size: 40 }]);
    expect(thread.running).toBe(true);
    const waiting = parse();
    await wear.after([{ size: 1 }]);
    expect((await waiting)?.lines).toBe(1);
    expect(thread.running).toBe(true);
    await wear.after([]);
    expect(thread.running).toBe(false);
    expect((await parse())?.lines).toBe(1);
    await wear.after([{ size: 100 }]);
    expect(thread.running).toBe(true);
  } finally {
    await thread.stop();
  }
});
