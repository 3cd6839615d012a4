import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { type Corpus, syntheticCorpus } from './corpus.fixture.ts';
import { estimateTokens } from './estimate.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
// Written by hand, and unknown to the fit: prose in seven languages, programs in six.
const FIXTURES = join(ROOT, 'test/fixtures/tokens');
const PACKAGES = [
  'zod',
  'hono',
  'vitest',
  'fast-check',
  '@types/node',
  '@photostructure/sqlite',
  'esbuild',
  'chai',
];
const SAMPLES_PER_CLASS = 25;

function* filesUnder(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) yield* filesUnder(join(folder, entry.name));
    else if (entry.isFile()) yield join(folder, entry.name);
  }
}

/** Windows of 2 to 8 kB out of files of that ending, spread over the folders. */
function sourceSamples(folders: readonly string[], ending: string): readonly string[] {
  return folders.flatMap((folder) => {
    const files = [...filesUnder(join(ROOT, folder))].filter((file) => extname(file) === ending).sort();
    const step = Math.max(1, Math.floor(files.length / 8));
    return files
      .filter((_, index) => index % step === 0)
      .slice(0, 8)
      .map((file, index) => readFileSync(file, 'utf8').slice(0, 2000 + index * 750))
      .filter((text) => text.length >= 2000);
  });
}

const packages = PACKAGES.map((name) => `node_modules/${name}`);
const CORPUS: Corpus = {
  ...syntheticCorpus(3, SAMPLES_PER_CLASS),
  'this repository': sourceSamples(['src'], '.ts'),
  JavaScript: sourceSamples(packages, '.js'),
  'type declarations': sourceSamples(packages, '.ts'),
  Markdown: sourceSamples(packages, '.md'),
  JSON: sourceSamples(packages, '.json'),
  C: [...sourceSamples(packages, '.c'), ...sourceSamples(packages, '.h'), ...sourceSamples(packages, '.cpp')],
  ...Object.fromEntries(
    readdirSync(FIXTURES).map((name) => [name, [readFileSync(join(FIXTURES, name), 'utf8')]]),
  ),
};

interface Measured {
  readonly kind: string;
  readonly truth: number;
  readonly guess: number;
}

const MEASURED: readonly Measured[] = Object.entries(CORPUS).flatMap(([kind, samples]) =>
  samples.map((text) => ({ kind, truth: encode(text).length, guess: estimateTokens(text) })),
);

function shareWithinTenth(measured: readonly Measured[]): number {
  return measured.filter(({ truth, guess }) => Math.abs(guess / truth - 1) <= 0.1).length / measured.length;
}

describe('against the o200k tokenizer', () => {
  test.each(Object.keys(CORPUS))('%s is within a tenth in total', (kind) => {
    const measured = MEASURED.filter((one) => one.kind === kind);
    const truth = measured.reduce((sum, one) => sum + one.truth, 0);
    const guess = measured.reduce((sum, one) => sum + one.guess, 0);
    expect(truth).toBeGreaterThan(300);
    expect(guess / truth).toBeGreaterThan(0.9);
    expect(guess / truth).toBeLessThan(1.1);
  });

  test('of texts of answer size, 95 in 100 are within a tenth', () => {
    expect(MEASURED.length).toBeGreaterThan(300);
    expect(shareWithinTenth(MEASURED)).toBeGreaterThanOrEqual(0.95);
  });

  test.each(['answers in JSON', 'answers in text'])('of %s, 95 in 100 are within a tenth', (kind) => {
    expect(shareWithinTenth(MEASURED.filter((one) => one.kind === kind))).toBeGreaterThanOrEqual(0.95);
  });
});

test('nothing costs nothing', () => {
  expect(estimateTokens('')).toBe(0);
  expect(estimateTokens('a')).toBe(1);
  expect(estimateTokens(' ')).toBe(1);
  expect(estimateTokens('123456789')).toBe(3);
  expect(estimateTokens('\n\n')).toBe(1);
});

test('any text has an estimate, also one cut inside a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.nat(200), (text, cut) => {
      const part = text.slice(0, cut);
      const estimate = estimateTokens(part);
      expect(Number.isSafeInteger(estimate)).toBe(true);
      expect(estimate).toBeGreaterThanOrEqual(part.length > 0 ? 1 : 0);
      expect(estimate).toBeLessThanOrEqual(4 * part.length);
    }),
  );
});

test('a megabyte of any one character is counted fast', () => {
  for (const piece of ['a', 'A', ' ', '\n', '{', '7', 'é', '中', '🚀', "'s", 'aA', '. ', '\t\n']) {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
    const start = process.cpuUsage();
    expect(estimateTokens(text)).toBeGreaterThan(0);
    // Time of this process alone, in microseconds: other work on the machine must not fail the test.
    expect(process.cpuUsage(start).user).toBeLessThan(1_000_000);
  }
});
