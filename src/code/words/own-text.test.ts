import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { ownText } from './own-text.ts';

const TEXTS = 60;
const TEXT_BYTES = 1_000_000;

test('a kept part of a text does not keep the text', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  const before = process.memoryUsage().heapUsed;
  const kept: string[] = [];
  for (let at = 0; at < TEXTS; at++) {
    const text = Buffer.alloc(TEXT_BYTES, `configuration${at} `).toString('latin1');
    kept.push(ownText(text.slice(0, 14)));
  }
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan((TEXTS * TEXT_BYTES) / 4);
  expect(kept[7]).toBe('configuration7');
});

test('texts of any script stay as they are', () => {
  for (const text of [
    'short',
    'größenordnung der werte',
    '設定ファイルを読み込む関数です',
    '😀 with a surrogate pair',
    'a lone \ud83d surrogate',
  ])
    expect(ownText(text)).toBe(text);
});
