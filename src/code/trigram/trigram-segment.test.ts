import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { madeLines } from '../../../test/fixtures/code/made-tree.ts';
import type { Literal, Requirement } from '../../regex/literals.ts';
import { openSegmentReader, type Segment } from './trigram-segment.ts';
import { DamagedSegment } from './trigram-segment-file.ts';
import { SegmentWriter } from './trigram-segment-writer.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pinhole-segment-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const writer = new SegmentWriter();
let number = 0;

/** Writes texts as files 0, 1, 2 … of a segment. */
function segmentOf(texts: readonly (Buffer | string)[]): string {
  const path = join(folder, `${number++}.seg`);
  for (const [index, text] of texts.entries()) {
    const content = Buffer.from(text);
    const file = {
      path: `f${index}`,
      size: content.length,
      mtimeMs: 1,
      ctimeMs: 1,
      ino: index,
      hidden: false,
    };
    writer.add(file, content);
  }
  writer.write(path);
  return path;
}

const literal = (text: string, folded = false): Requirement => ({
  kind: 'literal',
  literal: { text, folded },
});

/** Numbers of the files that may contain the text at a place that the spans cover. */
function candidates(segment: Segment, need: Requirement): number[] {
  return [...segment.candidates(need)].map(([file]) => file);
}

describe('a segment', () => {
  it('tells a long name from one that is nearly the same, however few files are left', () => {
    // Too large to share a block.
    const rest = '\n0123456789'.repeat(1000);
    const names = ['schedule_timeout_range_clock', 'schedule_timeout_rang', 'timeout_range_clock schedule_t'];
    const { segment } = openSegmentReader(segmentOf(names.map((name) => name + rest)));
    expect(candidates(segment, literal('schedule_timeout_range_clock'))).toEqual([0]);
    segment.close();
  });

  it('lets few files share a block, however small they are', () => {
    const texts = Array.from({ length: 40 }, (_, n) => `export const value = ${n === 20 ? 'needle' : n};\n`);
    const { segment } = openSegmentReader(segmentOf(texts));
    const found = candidates(segment, literal('needle'));
    expect(found).toContain(20);
    expect(found.length).toBeLessThanOrEqual(4);
    segment.close();
  });

  it('never misses a file or block that contains a text', () => {
    const line = fc.string({ unit: fc.constantFrom(...'abAB_k K.é\u017F\u212A日 9('), maxLength: 40 });
    const text = fc.array(line, { maxLength: 30 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 6 }),
        fc.nat(),
        fc.nat(),
        fc.boolean(),
        (texts, a, b, folded) => {
          const { segment } = openSegmentReader(segmentOf(texts));
          const lines = texts.flatMap((one) => one.split('\n'));
          const source = lines[a % lines.length] ?? '';
          const from = b % (source.length + 1);
          const wanted: Literal = {
            text: folded ? source.slice(from).toLowerCase().replaceAll('\u017f', 's') : source.slice(from),
            folded,
          };
          const holds = (one: string) =>
            one
              .split('\n')
              .some((row) =>
                (folded ? row.toLowerCase().replaceAll('\u017f', 's') : row).includes(wanted.text),
              );
          const found = candidates(segment, { kind: 'literal', literal: wanted });
          segment.close();
          for (const [index, one] of texts.entries())
            if (wanted.text !== '' && holds(one)) expect(found).toContain(index);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('narrows down to the block of a large file, with the right line number', () => {
    const lines = madeLines(11, 12_000);
    lines[9_000] = 'a very_special_name here';
    const { segment } = openSegmentReader(segmentOf(['small\n', lines.join('\n')]));
    const [[file, spans] = [-1, []]] = [...segment.candidates(literal('very_special_name'))];
    expect(file).toBe(1);
    expect(spans).toHaveLength(1);
    const [span] = spans;
    const before = Buffer.from(lines.join('\n'))
      .subarray(0, span?.from ?? 0)
      .toString()
      .split('\n').length;
    expect(span?.line).toBe(before);
    expect((span?.to ?? 0) - (span?.from ?? 0)).toBeLessThanOrEqual(32 * 1024);
    expect(before).toBeLessThanOrEqual(9_001);
    segment.close();
  });

  it('combines requirements', () => {
    // Six files of each kind: fewer would not be worth a second list.
    const kinds = ['alpha beta\n', 'beta gamma\n', 'gamma\n'];
    const { segment } = openSegmentReader(
      segmentOf(kinds.flatMap((line) => Array<string>(6).fill(line.repeat(2000)))),
    );
    const kindsOf = (need: Requirement) => [
      ...new Set(candidates(segment, need).map((file) => Math.floor(file / 6))),
    ];
    const all = (...parts: Requirement[]): Requirement => ({ kind: 'all', parts });
    const one = (...parts: Requirement[]): Requirement => ({ kind: 'one', parts });
    expect(kindsOf(literal('beta'))).toEqual([0, 1]);
    expect(kindsOf(all(literal('beta'), literal('gamma')))).toEqual([1]);
    expect(kindsOf(one(literal('alpha'), literal('gamma')))).toEqual([0, 1, 2]);
    expect(kindsOf(literal('Beta'))).toEqual([]);
    expect(kindsOf(literal('beta', true))).toEqual([0, 1]);
    expect(kindsOf({ kind: 'any' })).toEqual([0, 1, 2]);
    expect(kindsOf(literal('be'))).toEqual([0, 1, 2]);
    expect(kindsOf(one(literal('alpha'), { kind: 'any' }))).toEqual([0, 1, 2]);
    segment.close();
  });

  it('stays below a fifth of the text', () => {
    const text = Array.from({ length: 40 }, (_none, seed) => madeLines(seed, 800).join('\n'));
    const { segment } = openSegmentReader(segmentOf(text));
    const size = text.reduce((sum, one) => sum + Buffer.byteLength(one), 0);
    expect(segment.bytes / size).toBeLessThan(0.2);
    segment.close();
  });

  it('notices every damaged byte before it can hide a match', () => {
    const texts = Array.from(
      { length: 12 },
      (_none, seed) => `${madeLines(seed + 50, 400).join('\n')}\nunique_${seed}_name\n`,
    );
    const good = readFileSync(segmentOf(texts));
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const bad = Buffer.from(good);
        bad[at] = (bad[at] ?? 0) ^ flip;
        const path = join(folder, 'damaged.seg');
        writeFileSync(path, bad);
        for (const seed of texts.keys()) {
          try {
            const { segment } = openSegmentReader(path);
            const found = candidates(segment, literal(`unique_${seed}_name`));
            segment.close();
            expect(found).toContain(seed);
          } catch (error) {
            expect(error).toBeInstanceOf(DamagedSegment);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it.each([0, 10, 63, 64, 1000])('refuses a file cut to %i bytes', (length) => {
    const path = segmentOf([madeLines(3, 200).join('\n')]);
    writeFileSync(path, readFileSync(path).subarray(0, length));
    expect(() => openSegmentReader(path)).toThrow(DamagedSegment);
  });
});
