import { expect, test } from 'vitest';
import { lookedUpInTime } from './in-time.ts';

const never = () => new Promise<string>(() => {});

test('names that take too long are missing, and the others are there', async () => {
  const { signal } = new AbortController();
  const lookUp = (name: string) => (name === 'slow' ? never() : Promise.resolve(name.toUpperCase()));
  const found = await lookedUpInTime(['a', 'slow', 'b'], lookUp, { signal, timeoutMs: 50 });
  expect(found).toEqual(['A', undefined, 'B']);
  await expect(lookedUpInTime(['slow'], lookUp, { signal, timeoutMs: 50 })).rejects.toThrow(
    'Stopped after 0.04 s',
  );
});

test('a mistake is an error, and so is the end of the call', async () => {
  const { signal } = new AbortController();
  const wrong = () => Promise.reject(new Error('no such folder'));
  await expect(lookedUpInTime(['a', 'b'], wrong, { signal })).rejects.toThrow('no such folder');
  const gone = AbortSignal.abort(new Error('cancelled'));
  await expect(lookedUpInTime(['a', 'b'], never, { signal: gone })).rejects.toThrow('cancelled');
});
