import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { symbolLanguages } from '../symbols/extract/languages/index.ts';
import { createSymbolReader } from '../symbols/extract/symbol-reader.ts';
import type { Declaration } from './chunk.ts';
import { chunkText } from './chunker.ts';
import { outline } from './line-outline.ts';
import { partition } from './partition-lines.ts';
import { declarationsIn } from './symbol-declarations.ts';

const names = (text: string, language: string): string[] =>
  outline(text.split('\n'), language).map(({ name }) => name);

describe('the outline', () => {
  it.each([
    [
      'typescript',
      'export class Pool {\n  private acquire(host: string): Socket {\n    const local = 1;\n  }\n}\nexport const LIMIT = 5;',
      ['Pool', 'acquire', 'LIMIT'],
    ],
    [
      'python',
      'class Pool:\n    def acquire(self):\n        pass\n\nasync def main():\n    pass',
      ['Pool', 'acquire', 'main'],
    ],
    ['go', 'func (p *Pool) Acquire(host string) error {\n}\ntype Pool struct {\n}', ['Acquire', 'Pool']],
    [
      'rust',
      'pub struct Pool;\nimpl Drop for Pool {\n    fn drop(&mut self) {}\n}\nmacro_rules! pool {\n}',
      ['Pool', 'Pool', 'drop', 'pool'],
    ],
    [
      'swift',
      'public final class Pool {\n  func acquire() {}\n}\nextension Pool: Sendable {}',
      ['Pool', 'acquire', 'Pool'],
    ],
    [
      'kotlin',
      'data class Pool(val size: Int)\nfun acquire() = 1\ninternal object Registry',
      ['Pool', 'acquire', 'Registry'],
    ],
    [
      'scala',
      'trait Decoder[A]\nobject Decoder {\n  implicit def optional = 1\n}',
      ['Decoder', 'Decoder', 'optional'],
    ],
    ['elixir', 'defmodule Plug.Pool do\n  def acquire(host) do\n  end\nend', ['Pool', 'acquire']],
    ['haskell', 'data Pool = Pool\nacquire :: Host -> IO Socket\nacquire = undefined', ['Pool', 'acquire']],
    ['lua', 'local function acquire(host)\nend\nfunction M.release()\nend', ['acquire', 'release']],
    ['zig', 'pub fn acquire(self: *Pool) !void {\n}\npub const Pool = struct {\n};', ['acquire', 'Pool']],
    ['bash', 'acquire() {\n  :\n}\nfunction release() {\n  :\n}', ['acquire', 'release']],
    ['c', 'static int pool_acquire(struct pool *p)\n{\n}\n#define POOL_MAX 5', ['pool_acquire', 'POOL_MAX']],
  ])('of %s', (language, text, expected) => {
    expect(names(text, language)).toEqual(expected);
  });

  it('knows where a declaration ends and what it lies in', () => {
    const text = '// about the pool\nclass Pool {\n  acquire() {\n    x();\n  }\n}\nfunction free() {\n}';
    const [pool, , free] = outline(text.split('\n'), 'javascript').filter(({ name }) => name !== 'x');
    expect(pool).toMatchObject({ name: 'Pool', from: 0, line: 1, to: 6, level: 0 });
    expect(free ?? outline(text.split('\n'), 'javascript').at(-1)).toMatchObject({ name: 'free', level: 0 });
  });
});

describe('partition', () => {
  const declarations = fc.array(
    fc.record({ from: fc.nat(400), length: fc.integer({ min: 1, max: 90 }), level: fc.nat(3) }),
    { maxLength: 30 },
  );

  it('covers every line once, in order, in pieces of at most sixty lines', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), declarations, (count, drawn) => {
        const lines = Array.from({ length: count }, (_, at) => (at % 7 === 0 ? '' : `line ${at}`));
        const given: Declaration[] = drawn
          .filter(({ from }) => from < count)
          .map(({ from, length, level }) => ({
            name: 'x',
            kind: 'function',
            line: from,
            from,
            to: Math.min(count, from + length),
            level,
          }));
        const stretches = partition(lines, given);
        let at = 0;
        for (const { from, to } of stretches) {
          expect(from).toBe(at);
          expect(to - from).toBeGreaterThan(0);
          expect(to - from).toBeLessThanOrEqual(60);
          at = to;
        }
        expect(at).toBe(count);
      }),
    );
  });

  it('cuts before functions rather than inside', () => {
    const body = Array.from({ length: 38 }, () => '  work();');
    const lines = [
      'function a() {',
      ...body,
      '}',
      'function b() {',
      ...body,
      '}',
      'function c() {',
      ...body,
      '}',
    ];
    expect(partition(lines, outline(lines, 'javascript')).map(({ from }) => from)).toEqual([0, 40, 80]);
  });

  it('cuts one endless line off', () => {
    const lines = ['a', 'x'.repeat(50_000), 'b'];
    expect(partition(lines, []).length).toBeGreaterThan(1);
  });
});

describe('chunks', () => {
  it('of Markdown follow headings', () => {
    const section = (title: string): string[] => [`## ${title}`, ...Array.from({ length: 40 }, () => 'text')];
    const text = ['# Guide', ...section('Install'), ...section('Use'), '```', '# not a heading', '```'].join(
      '\n',
    );
    const chunks = chunkText(text, 'markdown');
    expect(chunks.map(({ symbol, kind }) => [symbol, kind])).toEqual([
      ['Guide', 'section'],
      ['Use', 'section'],
    ]);
    expect(chunks[1]?.breadcrumb).toEqual(['Guide']);
  });

  it('of an unknown language are still there', () => {
    const text = Array.from({ length: 130 }, (_, at) => `row ${at}`).join('\n');
    const chunks = chunkText(text, undefined);
    expect(chunks[0]?.lineStart).toBe(1);
    expect(chunks.at(-1)?.lineEnd).toBe(130);
  });

  it('in the middle of a class name the class', () => {
    const method = (name: string): string[] => [
      `  ${name}() {`,
      ...Array.from({ length: 40 }, () => '    work();'),
      '  }',
    ];
    const chunks = chunkText(
      ['class Pool {', ...method('acquire'), ...method('release'), '}'].join('\n'),
      'javascript',
    );
    expect(chunks.at(-1)).toMatchObject({ symbol: 'release', kind: 'function', breadcrumb: ['Pool'] });
  });
});

describe('syntax', async () => {
  const readSymbols = await createSymbolReader(symbolLanguages);
  const read = (text: string, language: string): Declaration[] | undefined => {
    const symbols = readSymbols(text, 'src/file', language);
    return symbols === undefined ? undefined : declarationsIn(symbols, text.split('\n'));
  };

  it.each([
    [
      'typescript',
      'export class Pool<T> {\n  acquire = () => 1;\n  release(x: T): void {}\n}\ninterface Host { name: string }\ntype Id = string;',
      ['Pool', 'acquire', 'release', 'Host', 'Id'],
    ],
    ['javascript', 'const f = () => { const local = 1; };\nfunction g() {}', ['f', 'g']],
    ['python', '@decorated\nclass Pool:\n    def acquire(self): pass', ['Pool', 'acquire']],
    ['go', 'package x\nfunc (p *Pool) Acquire() {}\ntype Pool struct{}', ['Acquire', 'Pool']],
    ['rust', 'impl<T> Pool<T> {\n    fn acquire(&self) {}\n}\nenum E { A }', ['Pool', 'acquire', 'E']],
    [
      'java',
      'class Pool {\n  int size;\n  void acquire(String host) { call(host); }\n}',
      // Fields are not what people ask for by name.
      ['Pool', 'acquire'],
    ],
    ['csharp', 'namespace N {\n class Pool {\n  public void Acquire() {}\n }\n}', ['N', 'Pool', 'Acquire']],
    [
      'cpp',
      'namespace n {\nclass Pool {\n public:\n  int Acquire(int h);\n};\nint Pool::Acquire(int h) { return h; }\n}',
      ['n', 'Pool', 'Acquire', 'Acquire'],
    ],
    ['c', 'static int acquire(struct pool *p)\n{\n  return 0;\n}', ['acquire']],
    [
      'ruby',
      'module Net\n  class Pool\n    def self.acquire; end\n    LIMIT = 5\n  end\nend',
      ['Net', 'Pool', 'acquire', 'LIMIT'],
    ],
    ['php', '<?php\nclass Pool {\n  public function acquire(): void {}\n}', ['Pool', 'acquire']],
    ['bash', 'acquire() {\n  echo 1\n}', ['acquire']],
    ['elixir', 'defmodule Net.Pool do\n  def acquire(host), do: host\nend', ['Pool', 'acquire']],
  ])('of %s', (language, text, expected) => {
    expect(read(text, language)?.map(({ name }) => name)).toEqual(expected);
  });

  it('reads declarations behind a part that does not parse from the shape of their lines', () => {
    const text =
      '@JvmInline\npublic value class Slot<out T>\n@Api internal constructor(@Api internal val holder: Any?) {\n  val x = 1\n}\n\npublic interface Pool<E> {\n  fun acquire(): E\n}\n';
    expect(read(text, 'kotlin')?.map(({ name }) => name)).toEqual(expect.arrayContaining(['Slot', 'Pool']));
  });

  it('has a grammar or says so', () => {
    expect(read('x', 'perl')).toBeUndefined();
    expect(read('class {{{', 'typescript')).toEqual(expect.any(Array));
  });
});
