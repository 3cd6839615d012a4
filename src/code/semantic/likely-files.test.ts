import { expect, test } from 'vitest';
import { likelyFiles } from './likely-files.ts';

const never = new AbortController().signal;

test('files with more and rarer words of a question are likelier', async () => {
  const found: Readonly<Record<string, string[]>> = {
    revok: ['lease.go', 'token.go'],
    token: ['token.go', 'a.go', 'b.go', 'c.go', 'd.go', 'e.go'],
  };
  const asked: string[] = [];
  const likely = await likelyFiles(
    ['revok', 'token', 'retri', 'of'],
    async (word) => {
      asked.push(word);
      return found[word] ?? [];
    },
    never,
  );
  // A stem is searched as a part of all its forms.
  expect(asked.sort()).toEqual(['retr', 'revok', 'token']);
  const ranked = [...likely].sort(([, a], [, b]) => b - a).map(([path]) => path);
  expect(ranked.slice(0, 3)).toEqual(['token.go', 'lease.go', 'a.go']);
  expect(likely.get('token.go')).toBe(1);
});

test('a word that takes too long is left out', async () => {
  const likely = await likelyFiles(
    ['slow', 'quick'],
    (word, signal) =>
      word === 'quick'
        ? Promise.resolve(['a.go'])
        : new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    never,
  );
  expect([...likely]).toEqual([['a.go', 1]]);
});
