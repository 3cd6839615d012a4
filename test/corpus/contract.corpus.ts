import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { redact } from '../../src/contract/redact.ts';
import { estimateTokens } from '../../src/tokens/estimate.ts';

const corpus = process.env.PINHOLE_CORPUS;
if (corpus === undefined) throw new Error('PINHOLE_CORPUS must name the folder with the test material');

function* filesUnder(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) yield* filesUnder(join(folder, entry.name));
    else if (entry.isFile()) yield join(folder, entry.name);
  }
}

const logs = [...filesUnder(join(corpus, 'data/sessions'))].map((file) => readFileSync(file, 'utf8'));

describe('real logs', () => {
  test('hold no secret, so nothing in them is redacted', () => {
    for (const text of logs) {
      expect(redact(text) === text).toBe(true);
    }
  });

  test('are redacted at 30 MB a second or more', () => {
    const start = process.cpuUsage();
    for (const text of logs) redact(text);
    const { user, system } = process.cpuUsage(start);
    const megabytes = logs.reduce((sum, text) => sum + text.length, 0) / 1e6;
    expect((megabytes * 1e6) / (user + system)).toBeGreaterThan(30);
  });

  test('have a token estimate within a tenth for 95 of 100 windows', () => {
    const windows = logs.flatMap((text) => {
      const starts = Array.from({ length: Math.ceil(text.length / 40_000) }, (_, index) => index * 40_000);
      return starts.map((start) => text.slice(start, start + 4000)).filter((window) => window.length > 2000);
    });
    const near = windows.filter(
      (window) => Math.abs(estimateTokens(window) / encode(window).length - 1) <= 0.1,
    );
    expect(windows.length).toBeGreaterThan(500);
    expect(near.length / windows.length).toBeGreaterThanOrEqual(0.95);
  });
});
