import { expect, test } from 'vitest';
import type { Answer } from '../contract/engine.ts';
import { localEngine } from './local-engine.ts';

const ANSWER: Answer = {
  ok: true,
  envelope: { data: {}, meta: {} },
  rendered: { text: '{}', bytes: 2, tokens: 1 },
};
const call = {
  caller: { door: 'cli', client: 'test', id: 'test', roots: [], budget: 8_000, format: 'json' },
} as const;

/** An app that records when it is opened and closed. */
function testApp() {
  const events: string[] = [];
  const state = { busy: false };
  const open = async () => {
    events.push('open');
    return {
      engine: { run: async () => ANSWER },
      busy: () => state.busy,
      close: async () => {
        events.push('close');
        return true;
      },
    };
  };
  return { events, state, open };
}

test('the first call opens it, it closes when no more come, and opens again', async () => {
  const { events, open } = testApp();
  const engine = localEngine(open, 20);
  expect(engine.isOpen()).toBe(false);
  await Promise.all([engine.run('a', {}, call), engine.run('b', {}, call)]);
  expect(events).toEqual(['open']);
  await expect.poll(() => events).toEqual(['open', 'close']);
  expect(engine.isOpen()).toBe(false);
  expect(await engine.run('c', {}, call)).toBe(ANSWER);
  await engine.close(false);
  expect(events).toEqual(['open', 'close', 'open', 'close']);
});

test('stays open while it has work to do', async () => {
  const { events, state, open } = testApp();
  const engine = localEngine(open, 5);
  state.busy = true;
  await engine.run('a', {}, call);
  const closed = engine.close(true);
  expect(await Promise.race([closed, new Promise((late) => setTimeout(late, 100, 'open'))])).toBe('open');
  expect(events).toEqual(['open']);
  state.busy = false;
  await closed;
  expect(events).toEqual(['open', 'close']);
});

test('an app that could not be opened is tried again by the next call', async () => {
  const { open } = testApp();
  let tries = 0;
  const engine = localEngine(async () => {
    if (++tries === 1) throw new Error('the disk is full');
    return open();
  });
  await expect(engine.run('a', {}, call)).rejects.toThrow('the disk is full');
  expect(await engine.run('a', {}, call)).toBe(ANSWER);
  await engine.close(false);
});
